"""A shop: products with price and stock, and a cart that is paid at the end."""

from __future__ import annotations

from cave_sim import Entity, WorldError, field


class Product(Entity):
    """Something that is sold."""

    category: str = field("", guarded=True)
    price_cents: int = field(0, unit="cents", ge=0, guarded=True)
    stock: int = field(0, ge=0, about="how many there are", guarded=True)
    stars: float = field(0.0, ge=0, le=5, about="what customers think", guarded=True)

    def restock(self, count: int) -> int:
        """Put more on the shelf; returns how many there are."""
        self.stock += max(0, count)
        return self.stock

    def reprice(self, price_cents: int) -> int:
        """Set the price in cents."""
        self.price_cents = price_cents
        return self.price_cents


class Cart(Entity):
    """What a customer is about to buy."""

    budget_cents: int = field(0, unit="cents", ge=0, about="what may be spent in all", guarded=True)
    lines: dict[str, int] = field({}, about="product -> how many", guarded=True)
    total_cents: int = field(0, unit="cents", ge=0, guarded=True)
    paid: bool = field(False, guarded=True)

    def add(self, product: Product, count: int) -> int:
        """Take some of a product from the shelf; returns the total in cents."""
        if not 1 <= count <= product.stock:
            raise WorldError(f"there are {product.stock} of {product.id}, so {count} cannot be taken")
        product.stock -= count
        self.lines[product.id] = self.lines.get(str(product.id), 0) + count
        self.total_cents += product.price_cents * count
        return self.total_cents

    def pay(self) -> int:
        """Pay; returns what is left of the budget in cents."""
        if self.total_cents > self.budget_cents:
            raise WorldError(f"the cart costs {self.total_cents} cents, and {self.budget_cents} may be spent")
        self.paid = True
        return self.budget_cents - self.total_cents

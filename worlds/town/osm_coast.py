"""The sea of a box, from coastlines that are cut off at its edges.

OpenStreetMap draws no sea, only coasts, with the water on their right. So each piece of coast is closed along the edges
of the box, clockwise, until the next piece begins: what is enclosed is water.
"""

from collections.abc import Iterator, Sequence

Point = tuple[float, float]
Box = tuple[float, float, float, float]


def sea(coasts: Sequence[Sequence[Point]], box: Box) -> list[list[Point]]:
    """Return rings of water.

    Args:
        coasts: pieces of coastline, as they run in the file; those that follow one another are joined.
        box: west, south, east, north.
    """
    pieces = [list(piece) for piece in _joined(coasts) if len(piece) > 1]
    rings = [piece for piece in pieces if piece[0] == piece[-1]]
    open_ends = {at: piece for at, piece in enumerate(pieces) if piece[0] != piece[-1]}
    while open_ends:
        first = min(open_ends)
        ring, here = list(open_ends[first]), first
        del open_ends[first]
        while True:
            end = _along(ring[-1], box)
            ahead = {at: (_along(piece[0], box) - end) % 4 for at, piece in open_ends.items()}
            home = (_along(ring[0], box) - end) % 4
            here = min(ahead, key=lambda at: ahead[at], default=-1)
            if here < 0 or home <= ahead[here]:
                ring.extend(_corners(end, home, box))
                break
            ring.extend(_corners(end, ahead[here], box))
            ring.extend(open_ends.pop(here))
        rings.append(ring)
    return rings


def _joined(coasts: Sequence[Sequence[Point]]) -> list[list[Point]]:
    pieces = [list(piece) for piece in coasts if len(piece) > 1]
    at = 0
    while at < len(pieces):
        follower = next((k for k, piece in enumerate(pieces) if k != at and piece[0] == pieces[at][-1]), None)
        if follower is None or pieces[at][0] == pieces[at][-1]:
            at += 1
            continue
        pieces[at].extend(pieces[follower][1:])
        del pieces[follower]
        at -= follower < at
    return pieces


def _along(point: Point, box: Box) -> float:
    """Return where on the box's edge a point is nearest to: 0 at its north-west corner, clockwise, 4 all round."""
    west, south, east, north = box
    across, down = (point[0] - west) / (east - west), (north - point[1]) / (north - south)
    across, down = min(1.0, max(0.0, across)), min(1.0, max(0.0, down))
    edges = {0 + across: down, 1 + down: 1 - across, 2 + (1 - across): 1 - down, 3 + (1 - down): across}
    return min(edges, key=lambda where: (edges[where], where))


def _corners(begin: float, ahead: float, box: Box) -> Iterator[Point]:
    """Yield the box's corners that lie on the way along its edge, and where the way touches the edge at both ends."""
    west, south, east, north = box
    corners = [(west, north), (east, north), (east, south), (west, south)]

    def spot(where: float) -> Point:
        side, part = divmod(where % 4, 1)
        (x0, y0), (x1, y1) = corners[int(side)], corners[(int(side) + 1) % 4]
        return x0 + part * (x1 - x0), y0 + part * (y1 - y0)

    yield spot(begin)
    corner = int(begin) + 1
    while corner <= begin + ahead:
        yield corners[corner % 4]
        corner += 1
    yield spot(begin + ahead)

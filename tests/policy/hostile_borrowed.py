"""Hostile cells whose objects throw away what numpy borrows while it compares them."""

_THIEF = """class Thing:
    def seize(self, other):
        held[0][:] = 0
        kept.append([[n] for n in range(300)])
        return True
    def __lt__(self, other):
        return self.seize(other)
    def __gt__(self, other):
        return self.seize(other)
    def __le__(self, other):
        return self.seize(other)
    def __ge__(self, other):
        return self.seize(other)
    def __bool__(self):
        return self.seize(self)
kept = []
a = np.array([Thing() for _ in range(60)], dtype=object)
held = [a]
{}
kept = held = a = None"""
_USES = (
    "a.argmax(), a.argmin()",
    "np.maximum(a, a)",
    "np.logical_and.reduce(a)",
    "a.clip(0, 1)",
    "pd.Series(a, copy=False).argmax()",
    "pd.DataFrame({'a': a}, copy=False).idxmin()",
)

PAGES = {"objects taken away while they are compared": "\n\n".join(map(_THIEF.replace, ["{}"] * len(_USES), _USES))}

"""Hostile cells whose objects end the process in C: what numpy borrows is thrown away, Arrow is told no error."""

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

_MUTE = """class Mute:
    def __repr__(self):
        raise ValueError(self)
    def __len__(self):
        raise ValueError(self)
    def __iter__(self):
        raise ValueError(self)
x = Mute()
{}"""
_DEEP = """x = []
for _ in range(25_000):
    x = [x]
{}"""
_TOLD = (
    "pd.array(['a', None], dtype='string') ** x",
    "pd.Index(['a', 'b']) - x",
    "pd.Series(['a']) + [x]",
    "pd.Series(['a']).map(lambda a: x)",
)


def _each(cell: str, uses: tuple[str, ...]) -> str:
    return "\n\n".join(cell.replace("{}", use) for use in uses)


PAGES = {
    "objects taken away while they are compared": _each(_THIEF, _USES),
    "objects that Arrow is handed": _each(_MUTE, _TOLD) + "\n\n" + _each(_DEEP, _TOLD),
}

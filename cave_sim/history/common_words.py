"""Words that say nothing of what a text is about: what stands in any talk is no news, however far it gets round."""

COMMON = frozenset(
    """
    able about above according across actually after afterwards again against agree agreed ahead almost alone along
    already also although always among another anybody anyone anything anyway anywhere around asked asking away
    back became because become been before began behind being below beside best better between beyond both bring
    call called came cannot care come comes coming could
    days dear definitely does doing done down during
    each earlier early easily either else enough especially even ever every everybody everyone everything everywhere
    exactly
    fact feel feels felt fine find first following found from further
    gave gets getting give given gives giving glad goes going gone good gotten great
    hardly have having heard hear hello hence here hers herself himself hope hoping hour hours however
    idea indeed inside instead into itself
    join just keep kept kind knew know known knows
    last late later least leave left less lets like likely little long look looked looking lots love lovely
    made mainly make makes making many matter maybe mean means meet mentioned might mine minutes more morning
    most mostly much must myself
    name named near nearly need needs neither never next nice night nobody none nothing noted nowhere
    often okay once only onto other others otherwise ours ourselves over
    people perhaps place please point possible probably
    quite rather ready really right
    said same save says seem seemed seems seen several shall should show since some somebody somehow someone something
    sometimes somewhere soon sorry spoke start started still such suppose sure
    take taken takes talk talked tell telling than thank thanks that their theirs them themselves then there therefore
    these they thing things think this those though thought through thus time times today together told tomorrow
    tonight took toward towards tried true trying turn
    under unless until upon used useful using usually
    various very
    want wanted wants welcome well went were what whatever when whenever where wherever whether which while whom whose
    will wish with within without wonder wondering word words work would
    year years yesterday yours yourself yourselves
    """.split()
)
"""English words of four letters and more: those of grammar, of greeting, and of speaking about any plan at all."""

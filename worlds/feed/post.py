"""A post of a public feed."""

from cave_sim import Entity, field


class Post(Entity):
    """A post. Everybody may read it; who was shown it is kept, so that a run says who knew."""

    author: str = field(guarded=True, about="who wrote it")
    text: str = field(guarded=True)
    time_s: float = field(0.0, unit="s", ge=0, guarded=True, about="world time at which it was posted")
    reply_to: str = field("", guarded=True, about='name of the post that it answers; "" for none')
    likes: set[str] = field(set(), guarded=True, about="who likes it")
    shown_to: set[str] = field(set(), guarded=True, private=True, about="who was shown it")

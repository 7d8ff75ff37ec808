"""The handset: what is on it, and what one can have it do. What cannot be done is refused, and says why."""

from __future__ import annotations

from typing import Any

from cave_sim import Entity, Refused, field

Result = dict[str, Any]


class Handset(Entity):
    """A telephone. Its methods are the tools of whoever assists its owner."""

    battery: int = field(80, ge=0, le=100, unit="%")
    wifi: bool = field(True)
    airplane: bool = field(False)
    silent: bool = field(False)
    volume: int = field(40, ge=0, le=100, unit="%")
    brightness: int = field(60, ge=0, le=100, unit="%")
    playing: str = field("")
    timers: list[int] = field([], about="seconds")
    alarms: list[str] = field([])
    contacts: dict[str, str] = field({})
    events: dict[str, str] = field({}, about='{"2026-03-04 18:00": "dinner"}')
    reminders: dict[str, str] = field({})
    notes: dict[str, str] = field({})
    messages: list[dict[str, str]] = field([])
    mails: list[dict[str, str]] = field([])
    photos: dict[str, str] = field({})
    files: dict[str, str] = field({})
    songs: list[str] = field([])
    rides: list[dict[str, str]] = field([])
    tickets: dict[str, str] = field({})
    numbers: int = field(7389, about="of the latest thing that got a number")

    def set_timer(self, seconds: int) -> Result:
        """Set a timer for some seconds."""
        if seconds < 1:
            raise Refused("a timer takes at least 1 second")
        self.timers.append(seconds)
        return {"status": "success", "timer": self._number("T"), "seconds": seconds}

    def set_alarm(self, time: str) -> Result:
        """Set an alarm at a time of day, HH:MM."""
        if len(time) != 5 or time[2] != ":":
            raise Refused(f"time={time!r}: write HH:MM")
        self.alarms.append(time)
        return {"status": "success", "alarm": self._number("A"), "time": time}

    def find_contact(self, name: str) -> Result:
        """Look up the number of a contact by name."""
        if name not in self.contacts:
            raise Refused(f"no contact {name!r}")
        return {"name": name, "phone": self.contacts[name]}

    def add_contact(self, name: str, phone: str) -> Result:
        """Save a contact."""
        self.contacts[name] = phone
        return {"status": "success", "name": name, "phone": phone}

    def send_message(self, recipient: str, text: str) -> Result:
        """Send a text message to a contact."""
        self._reach(recipient)
        self.messages.append({"to": recipient, "text": text})
        return {"status": "success", "message": self._number("M")}

    def send_mail(self, recipient: str, subject: str) -> Result:
        """Send an email with a subject to a contact."""
        self._reach(recipient)
        self._online()
        self.mails.append({"to": recipient, "subject": subject})
        return {"status": "success", "mail": self._number("E")}

    def call_contact(self, name: str) -> Result:
        """Call a contact."""
        self._reach(name)
        return {"status": "success", "call": self._number("C"), "phone": self.contacts[name]}

    def add_event(self, title: str, date: str, time: str) -> Result:
        """Add an event to the calendar, date YYYY-MM-DD, time HH:MM."""
        when = f"{date} {time}"
        if when in self.events:
            raise Refused(f"there is {self.events[when]!r} at {when} already")
        self.events[when] = title
        return {"status": "success", "event": self._number("V"), "when": when}

    def list_events(self, date: str) -> Result:
        """List the events of a date, YYYY-MM-DD."""
        return {"date": date, "events": [f"{when[-5:]} {what}" for when, what in self.events.items() if date in when]}

    def add_reminder(self, text: str, time: str) -> Result:
        """Remind of something at a time, HH:MM."""
        self.reminders[time] = text
        return {"status": "success", "reminder": self._number("R"), "time": time}

    def write_note(self, title: str, text: str) -> Result:
        """Write a note under a title."""
        self.notes[title] = text
        return {"status": "success", "note": self._number("N")}

    def read_note(self, title: str) -> Result:
        """Read the note of a title."""
        if title not in self.notes:
            raise Refused(f"no note {title!r}; there are: {', '.join(self.notes) or 'none'}")
        return {"title": title, "text": self.notes[title]}

    def set_volume(self, level: int) -> Result:
        """Set the volume, 0 to 100."""
        self.volume = level
        return {"status": "success", "volume": level}

    def set_brightness(self, level: int) -> Result:
        """Set the brightness of the screen, 0 to 100."""
        self.brightness = level
        return {"status": "success", "brightness": level}

    def set_silent(self, on: bool) -> Result:
        """Switch silent mode on or off."""
        self.silent = on
        return {"status": "success", "silent": on}

    def set_wifi(self, on: bool) -> Result:
        """Switch Wi-Fi on or off."""
        self.wifi = on
        return {"status": "success", "wifi": on}

    def set_airplane_mode(self, on: bool) -> Result:
        """Switch airplane mode on or off; while it is on, nobody can be reached."""
        self.airplane = on
        return {"status": "success", "airplane": on}

    def get_battery(self) -> Result:
        """Say how full the battery is."""
        return {"battery_percent": self.battery}

    def play_song(self, title: str) -> Result:
        """Play a song by its title."""
        if title not in self.songs:
            raise Refused(f"no song {title!r} on this handset")
        self.playing = title
        return {"status": "success", "playing": title}

    def current_song(self) -> Result:
        """Say which song is playing."""
        return {"playing": self.playing or "nothing"}

    def find_photos(self, keyword: str) -> Result:
        """Find photos by a keyword."""
        return {"keyword": keyword, "photos": [name for name, about in self.photos.items() if keyword in about]}

    def search_files(self, word: str) -> Result:
        """Find files whose text has a word."""
        return {"word": word, "files": [name for name, text in self.files.items() if word in text]}

    def book_ride(self, destination: str) -> Result:
        """Book a ride to a destination."""
        self._online()
        self.rides.append({"to": destination})
        return {"status": "success", "ride": self._number("D"), "minutes": 4 + len(destination) % 7}

    def create_ticket(self, issue: str) -> Result:
        """Create an IT support ticket for an issue."""
        number = self._number("IT")
        self.tickets[number] = issue
        return {"status": "success", "ticket": number, "issue": issue}

    def _number(self, head: str) -> str:
        self.numbers += 1
        return f"{head}{self.numbers}"

    def _online(self) -> None:
        if self.airplane or not self.wifi:
            raise Refused("no network: airplane mode is on or Wi-Fi is off")

    def _reach(self, name: str) -> None:
        if self.airplane:
            raise Refused("no network: airplane mode is on")
        if name not in self.contacts:
            raise Refused(f"no contact {name!r}")

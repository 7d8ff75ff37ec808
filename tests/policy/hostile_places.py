"""Hostile cells by way of time zones: for files, the machine's own zone, code of their own, and what zoneinfo keeps."""

PAGES = {
    "zones of places": """
from zoneinfo import ZoneInfo
ZoneInfo("../../../etc/passwd")

from zoneinfo import ZoneInfo
ZoneInfo("/etc/localtime")

from zoneinfo import ZoneInfo
ZoneInfo("localtime"), ZoneInfo("posixrules")

from zoneinfo import ZoneInfo
ZoneInfo("Europe/../Europe/Oslo")

from zoneinfo import ZoneInfo
ZoneInfo("right/UTC")

from zoneinfo import ZoneInfo
ZoneInfo("Europe")

from zoneinfo import ZoneInfo
ZoneInfo("Europe/Oslo" + chr(0))

from zoneinfo import ZoneInfo
ZoneInfo(b"Europe/Oslo")

from zoneinfo import ZoneInfo
class Name(str):
    pass
ZoneInfo(Name("Europe/Oslo"))

from zoneinfo import ZoneInfo
class Zone(ZoneInfo):
    def utcoffset(self, moment):
        vault.treasury_cents = 0
Zone("Europe/Oslo")

from zoneinfo import ZoneInfo
ZoneInfo.from_file(open("canary.html")), ZoneInfo.clear_cache()

from zoneinfo import TZPATH, reset_tzpath
reset_tzpath(["/tmp"])

import zoneinfo
zoneinfo.available_timezones(), zoneinfo.reset_tzpath

from zoneinfo import ZoneInfo
ZoneInfo("Europe/Oslo").__reduce__(), type(ZoneInfo("Europe/Oslo")).no_cache("Europe/Oslo")

from zoneinfo import ZoneInfo
zone = ZoneInfo("Europe/Oslo")
zone.key = "Asia/Tokyo"

from zoneinfo import ZoneInfo
import datetime
print(datetime.datetime(2024, 7, 1).astimezone(ZoneInfo("Europe/Oslo")))

from zoneinfo import ZoneInfo
import datetime
print(datetime.datetime.now(ZoneInfo("Europe/Oslo")), datetime.datetime.today())

from zoneinfo import ZoneInfo
me.plan = str(hash(ZoneInfo("Europe/Oslo")))
me.plan += str([zone.key for zone in {ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Oslo"), ZoneInfo("Africa/Cairo")}])

pd.Timestamp("2024-01-01", tz="tzlocal()"), pd.Timestamp("2024-01-01").tz_localize("dateutil//etc/passwd")

pd.to_datetime(["now"]).tz_localize("UTC").tz_convert("Europe/Oslo")

pd.Series(["now"]).astype("datetime64[ns, Europe/Oslo]")

pd.Series(["now"], dtype=object).astype("datetime64[us, UTC]")

pd.Series(["today"], dtype="datetime64[ns, UTC]"), pd.Index(["now"]).astype("datetime64[ns, UTC]")

pd.DataFrame({"a": ["now"]}).astype({"a": "datetime64[us, UTC]"})

pd.Series(["now"], dtype="category").astype("datetime64[ns, UTC]")

pd.Categorical(["now"]).astype("datetime64[ns, UTC]")

pd.Series(["10:00"]).astype("datetime64[ns, UTC]"), pd.DatetimeIndex(["now"], tz="Asia/Tokyo")

days = pd.Series(pd.date_range("2024-01-01", periods=2, tz="UTC"))
days[0] = "now"
days == "now", days.isin(["now"]), days.where(days > "today"), days.fillna("now"), days.searchsorted("now")

pd.date_range("today", periods=2, tz="Europe/Oslo")

pd.Series([1]).astype("datetime64[ns, Europe/../../etc/passwd]")

pd.to_datetime(["2024 CET", "2023 Asia/Tokyo"], format="%Y %Z", utc=True)

pd.to_datetime(["2024 LocalTime"], format="%Y %Z")

pd.date_range("2024-10-26", periods=1_000_000_000, freq="s", tz="Europe/Oslo")
""",
}

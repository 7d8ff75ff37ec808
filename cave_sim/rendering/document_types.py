"""The documents that come along: what each needs to be told."""

from __future__ import annotations

from pydantic import BaseModel, Field

from cave_sim.rendering.schemas import Chart, DataTable, DocumentData


class Article(DocumentData):
    """A piece in a newspaper."""

    headline: str
    text: str
    place: str = ""
    people: list[str] = Field([])


class Newspaper(DocumentData):
    """The day's paper of a town: a lead, articles, notices and the weather."""

    title: str
    date: str
    edition: str = ""
    lead: str = ""
    weather: str = ""
    articles: list[Article] = Field(max_length=200)
    notices: list[str] = Field([])
    tables: list[DataTable] = Field([])
    charts: list[Chart] = Field([])


class Section(DocumentData):
    """A part of a report."""

    heading: str
    text: str = ""
    points: list[str] = Field([])
    tables: list[DataTable] = Field([])
    charts: list[Chart] = Field([])


class StudyReport(DocumentData):
    """The report of a study: question, method, results, threats, and how to make it again."""

    title: str
    authors: list[str] = Field([])
    abstract: str = ""
    question: str
    method: str
    results: list[Section]
    threats: list[str] = Field([])
    commands: str = ""


class Action(DocumentData):
    """What somebody is to do."""

    who: str
    what: str
    until: str = ""


class Minutes(DocumentData):
    """The minutes of a meeting: who was there, what was said and decided, who does what."""

    title: str
    date: str
    present: list[str]
    topics: list[Section]
    decisions: list[str] = Field([])
    actions: list[Action] = Field([])


class DataReport(DocumentData):
    """A report about data: findings, tables of any length, charts."""

    title: str
    summary: str = ""
    findings: list[str] = Field([])
    sections: list[Section] = Field([])
    tables: list[DataTable] = Field([])
    charts: list[Chart] = Field([])


class CallParameter(DocumentData):
    """What a call takes."""

    name: str
    type: str
    about: str = ""
    required: bool = True


class Endpoint(DocumentData):
    """One call of an interface."""

    name: str
    method: str = ""
    about: str = ""
    parameters: list[CallParameter] = Field([])
    returns: str = ""
    example: str = ""


class ApiReference(DocumentData):
    """The reference of an interface: every call with what it takes and returns."""

    title: str
    about: str = ""
    endpoints: list[Endpoint]


BY_NAME: dict[str, type[BaseModel]] = {
    "newspaper": Newspaper,
    "study_report": StudyReport,
    "minutes": Minutes,
    "data_report": DataReport,
    "api_reference": ApiReference,
}

"""Asking minds: typed questionnaires, interviews and panels, and their answers beside those of people."""

from cave_sim.survey.asking import SurveyAnswer, ask
from cave_sim.survey.interview import interview
from cave_sim.survey.items import Choice, FreeText, Likert, NotAnAnswer, Number
from cave_sim.survey.marginals import Marginals, beside
from cave_sim.survey.panel import Panel
from cave_sim.survey.questionnaire import Questionnaire

__all__ = [
    "Choice",
    "FreeText",
    "Likert",
    "Marginals",
    "NotAnAnswer",
    "Number",
    "Panel",
    "Questionnaire",
    "SurveyAnswer",
    "ask",
    "beside",
    "interview",
]

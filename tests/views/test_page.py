"""The page in headless Chromium: it plays, it reacts to keys and mouse, and it loads nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait
from test_export import INJECTION, NO_ATTENTION

from translator.translation import Translation
from translator.views import export

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")
IS_MISSING = not (CHROMIUM and CHROMEDRIVER)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        IS_MISSING and "CI" not in os.environ, reason="Chromium or its driver is missing"
    ),
]

LOVE = Translation(
    "I love you",
    "나는 너를 사랑해",
    ("▁I", "▁lo", "ve", "▁you", "</s>"),
    ("▁나는", "▁너를", "▁사랑", "해", "</s>"),
    [
        [0.9, 0.04, 0.03, 0.02, 0.01],
        [0, 0, 0, 0.875, 0.125],
        [0, 0.5, 0.5, 0, 0],
        [0, 0.25, 0.5, 0, 0.25],
        [0, 0, 0, 0, 1],
    ],
    (0.97, 0.5, 0.25, 0.75, 1.0),
    -2.4,
    True,
)
HI = Translation(
    "Hi!",
    "안녕!",
    ("▁Hi!", "</s>"),
    ("▁안녕!", "</s>"),
    [[0.75, 0.25], [0, 1]],
    (0.9, 1.0),
    -0.1,
    True,
)
CONTROLS = ["First", "Back", "Play", "Forward", "Last"]
WIDE_WINDOW, NARROW_WINDOW = (1200, 900), (400, 800)

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--lang=en",
        "--force-prefers-reduced-motion",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with webdriver.Chrome(
        options=options, service=webdriver.ChromeService(str(CHROMEDRIVER))
    ) as driver:
        yield driver


@pytest.fixture
def open_page(browser, tmp_path) -> Iterator[Open]:
    """Write a page and open it; in the end, check that the browser logged no error."""

    def opened(
        *translations: Translation,
        words: bool = False,
        window: tuple[int, int] = WIDE_WINDOW,
        scheme: str = "light",
    ) -> Page:
        export.write(tmp_path / "page.html", translations, words=words)
        browser.set_window_size(*window)
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        browser.get((tmp_path / "page.html").as_uri())
        return Page(browser)

    yield opened
    assert browser.get_log("browser") == []


class Page:
    """What a reader sees and does on a page. CSS selectors find visible elements only."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def all(self, selector: str) -> list[WebElement]:
        return [
            element
            for element in self.browser.find_elements("css selector", selector)
            if element.is_displayed()
        ]

    def texts(self, selector: str) -> list[str]:
        return [element.text for element in self.all(selector)]

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def click(self, label: str) -> None:
        next(button for button in self.all("button") if label in button.text).click()

    def point(self, element: WebElement) -> None:
        ActionChains(self.browser).move_to_element(element).perform()

    def lines(self) -> dict[tuple[int, int], float]:
        """Return the width of each line by its row and column."""
        paths = self.all(".lines path")
        return {
            (int(path.get_attribute("data-row")), int(path.get_attribute("data-column"))): float(
                path.get_attribute("stroke-width")
            )
            for path in paths
        }

    def colour(self, element: WebElement) -> str:
        return element.value_of_css_property("background-color")

    @property
    def step(self) -> str:
        return self.texts(".status")[0].partition(":")[0]


def test_the_page_loads_nothing_from_the_network(browser, open_page):
    browser.get_log("performance")
    open_page(LOVE, INJECTION)
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert [Path(url).name for url in asked] == ["page.html"]


def test_the_policy_forbids_what_a_text_could_bring_in(browser, open_page):
    """Unescaped markup could neither run, load anything, nor change how the page looks."""
    open_page(LOVE)
    run = browser.execute_script
    run(INJECTED_MARKUP)
    run(INJECTED_SCRIPT)
    run("document.getElementById('x').click()")
    assert run("return window.ran") is None
    assert run("return getComputedStyle(document.getElementById('x')).color") != "rgb(255, 0, 0)"
    assert browser.execute_async_script(FETCH) == "refused"
    # The console reports the refusals.
    assert {entry["level"] for entry in browser.get_log("browser")} == {"SEVERE"}


INJECTED_MARKUP = """
    const markup = '<b id=x style="color:red" onclick="window.ran = 1">x</b>';
    document.body.insertAdjacentHTML("beforeend", markup);
"""
INJECTED_SCRIPT = """
    const script = document.createElement("script");
    script.textContent = "window.ran = 1";
    document.body.append(script);
"""
FETCH = """
    const done = arguments[0];
    fetch("data:,x").then(() => done("loaded"), () => done("refused"));
"""


def test_an_injection_stays_text(browser, open_page):
    page = open_page(INJECTION)
    assert page.texts("h2 bdi") == ["<script>alert(1)</script> & [b]"] * 2
    assert page.texts(".source bdi") == list(INJECTION.source_pieces)
    assert len(browser.find_elements("css selector", "script")) == 1
    page.press(*[Keys.ARROW_RIGHT] * 2)
    assert "writes </script> with probability" in page.texts(".status")[0]
    assert browser.find_elements("css selector", ".view script, .view b:not([data-slot])") == []


# Playing


def test_the_first_step_is_shown_first(open_page):
    page = open_page(LOVE)
    assert page.texts(".status") == [
        "Step 1 of 5: writes ▁나는 with probability 0.97; looks most at ▁I (0.90)."
    ]
    assert page.texts(".source .number") == ["0.90", "0.04", "0.03", "0.02", "0.01"]


def test_arrow_keys_home_and_end_step(open_page):
    page = open_page(LOVE)
    seen = []
    for key in (
        Keys.ARROW_RIGHT,
        Keys.ARROW_RIGHT,
        Keys.ARROW_LEFT,
        Keys.END,
        Keys.ARROW_RIGHT,
        Keys.HOME,
        Keys.ARROW_LEFT,
    ):
        page.press(key)
        seen.append(page.step)
    assert seen == [f"Step {step} of 5" for step in (2, 3, 2, 5, 5, 1, 1)]


def test_buttons_step(open_page):
    page = open_page(LOVE)
    seen = []
    for label in ("Forward", "Forward", "Back", "Last", "Forward", "First", "Back"):
        page.click(label)
        seen.append(page.step)
    assert seen == [f"Step {step} of 5" for step in (2, 3, 2, 5, 5, 1, 1)]


def test_buttons_that_lead_nowhere_say_so(open_page):
    page = open_page(LOVE)
    assert [button.text.strip("|◀▶ ") for button in page.all(".controls button")] == CONTROLS
    buttons = page.all(".controls button")
    disabled = [button.get_attribute("aria-disabled") for button in buttons]
    assert disabled == ["true", "true", None, "false", "false"]
    page.press(Keys.END)
    disabled = [button.get_attribute("aria-disabled") for button in buttons]
    assert disabled == ["false", "false", None, "true", "true"]


def test_play_goes_to_the_end_and_stops(browser, open_page):
    page = open_page(LOVE)
    page.press(Keys.END)  # from the end, playing starts again
    page.click("Play")
    assert page.step == "Step 1 of 5"
    assert "Pause" in page.texts("[data-go=play]")[0]
    WebDriverWait(browser, 15).until(
        lambda _: page.step == "Step 5 of 5" and "Play" in page.texts("[data-go=play]")[0]
    )


def test_a_step_by_hand_stops_playing(open_page):
    page = open_page(LOVE)
    page.click("Play")
    page.press(Keys.ARROW_RIGHT)
    assert "Play" in page.texts("[data-go=play]")[0]


def test_lines_are_as_wide_as_the_weights_of_the_step(open_page):
    page = open_page(LOVE)
    # 0.01 gets no line; a small weight gets one that is wide enough to see.
    assert page.lines() == pytest.approx({(0, 0): 0.9 * 16, (0, 1): 1, (0, 2): 1, (0, 3): 1})
    page.press(Keys.ARROW_RIGHT)
    assert page.lines() == {(1, 3): 14, (1, 4): 2}


@pytest.mark.parametrize("medium", ["screen", "print"])
def test_lines_run_from_piece_to_piece(browser, open_page, medium):
    page = open_page(LOVE)
    page.press(Keys.ARROW_RIGHT)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium})
    # The page redraws its lines for another medium.
    WebDriverWait(browser, 10).until(lambda _: fits(*browser.execute_script(RECTANGLES)))


RECTANGLES = """
    const places = [[".lines path", 0], [".source .chip", 3], [".target .chip", 1]];
    return places.map(([selector, n]) =>
      document.querySelectorAll(selector)[n].getBoundingClientRect().toJSON());
"""


def fits(line: dict[str, float], source: dict[str, float], target: dict[str, float]) -> bool:
    """Return whether a line starts below its source piece and ends at the top of its target piece.

    It must end at the middle of the upper edge, to two pixels.
    """
    ends = (
        line["y"] - source["bottom"],
        line["bottom"] - target["y"],
        line["x"] - (target["x"] + target["width"] / 2),
    )
    return all(abs(end) <= 2 for end in ends)


def test_what_is_not_written_yet_is_pale(open_page):
    page = open_page(LOVE)
    page.press(Keys.ARROW_RIGHT)
    for selector in (".target .chip", "tbody tr"):
        later = ["later" in element.get_attribute("class") for element in page.all(selector)]
        assert later == [False, False, True, True, True]
    current = [row.get_attribute("aria-current") for row in page.all("tbody tr")]
    assert current == [None, "step", None, None, None]


def test_a_click_on_a_target_piece_goes_to_its_step(open_page):
    page = open_page(LOVE)
    page.all(".target .chip")[3].click()
    assert page.step == "Step 4 of 5"


# Pointing


def test_pointing_at_a_source_piece_shows_its_column(open_page):
    page = open_page(LOVE)
    page.press(Keys.END)
    page.point(page.all(".source .chip")[2])
    assert page.lines() == pytest.approx({(0, 2): 1, (2, 2): 8, (3, 2): 8})
    assert [cell.text for cell in page.all("td.seen")] == ["0.03", "0.00", "0.50", "0.50", "0.00"]
    assert page.texts("th.seen") == ["ve"]
    assert page.texts(".target .number") == ["0.03", "0.00", "0.50", "0.50", "0.00"]


def test_pointing_at_a_target_piece_shows_its_row(open_page):
    page = open_page(LOVE)
    page.point(page.all(".target .chip")[3])
    assert page.texts("tr.seen th") == ["해"]
    assert page.lines() == {(3, 1): 4, (3, 2): 8, (3, 4): 4}
    page.point(page.all("h1")[0])
    assert page.all("tr.seen") == []
    assert set(page.lines()) == {(0, 0), (0, 1), (0, 2), (0, 3)}


def test_pointing_at_a_cell_shows_its_row_and_its_column(open_page):
    page = open_page(LOVE)
    page.point(page.all("tbody tr:nth-child(2) td")[3])
    assert (page.texts("tr.seen th"), page.texts("th.seen")) == (["▁너를"], ["▁you"])


def test_focus_shows_what_the_mouse_shows(open_page):
    page = open_page(LOVE)
    page.press(Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB)
    assert page.texts("th.seen") == ["▁I"]
    page.press(Keys.ARROW_RIGHT)
    assert page.texts("th.seen") == ["▁lo"]
    page.press(Keys.TAB, Keys.ARROW_RIGHT)
    assert (page.texts("tr.seen th"), page.step) == (["▁너를"], "Step 2 of 5")


# Pieces and words, English and Korean, light and dark


def test_words_are_pieces_put_together(open_page):
    page = open_page(LOVE)
    page.click("Words")
    assert page.texts(".source bdi") == ["I", "love", "you", "</s>"]
    assert page.texts("tbody th") == ["나는", "너를", "사랑해", "</s>"]
    page.press(Keys.END, Keys.ARROW_LEFT)
    assert page.texts(".status") == [
        "Step 3 of 4: writes 사랑해 with probability 0.19; looks most at love (0.88)."
    ]
    page.click("Pieces")
    assert page.step == "Step 1 of 5"


def test_words_come_first_if_asked(open_page):
    assert open_page(LOVE, words=True).texts(".source bdi") == ["I", "love", "you", "</s>"]


def test_all_labels_are_korean_or_english(browser, open_page):
    page = open_page(LOVE)
    assert page.texts("h1") == ["Attention, step by step"]
    page.click("한국어")
    assert page.texts("h1") == ["어텐션 한 단계씩 보기"]
    assert page.texts(".status") == [
        "5단계 중 1단계: ▁나는 출력, 확률 0.97, 가장 많이 본 곳은 ▁I (0.90)."
    ]
    assert browser.find_element("css selector", "html").get_attribute("lang") == "ko"
    labels = page.texts("h1, h3, caption, .intro, .controls button, [data-choose-view]")
    assert len(labels) == 12
    assert all(any("가" <= letter <= "힣" for letter in label) for label in labels)
    page.click("English")
    labels = page.texts("h1, h3, caption, .intro, .controls button")
    assert not any("가" <= letter <= "힣" for label in labels for letter in label)


def test_dark_is_dark_and_light_is_light(open_page):
    page = open_page(LOVE, scheme="dark")
    assert page.colour(page.all("body")[0]) == "rgba(21, 25, 30, 1)"
    page = open_page(LOVE, scheme="light")
    assert page.colour(page.all("body")[0]) == "rgba(255, 255, 255, 1)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_stand_out_from_each_shade(browser, open_page, scheme):
    """WCAG 2.2, 1.4.3 asks for a contrast of at least 4.5."""
    weights = [[0.01, 0.19, 0.3, 0.5, 0.0], [0.8, 0.2, 0, 0, 0]]
    sources, targets = ("▁a", "b", "c", "d", "e"), ("▁t", "u")
    translation = Translation("s", "t", sources, targets, weights, (1.0, 1.0), 0.0, False)
    page = open_page(translation, scheme=scheme)
    page.press(Keys.END)
    for cell in page.all("td[data-level]"):
        assert contrast(cell.value_of_css_property("color"), page.colour(cell)) >= 4.5


def contrast(*colours: str) -> float:
    """Return the contrast of two colours in the browser's notation `rgba(r, g, b, a)`."""

    def luminance(colour: str) -> float:
        """Return the relative luminance that WCAG defines."""
        shares = [int(part) / 255 for part in colour.partition("(")[2].split(",")[:3]]
        linear = [
            share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            for share in shares
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(map(luminance, colours))
    return (light + 0.05) / (dark + 0.05)


# Sizes and kinds


def large(size: int) -> Translation:
    sources, targets = (
        tuple(f"▁{word}{number}" for number in range(size)) for word in ("source", "낱말")
    )
    probabilities = (1.0,) * size
    return Translation(
        "s" * size, "t" * size, sources, targets, np.eye(size), probabilities, 0.0, False
    )


@pytest.mark.parametrize("size", [1, 3, 60])
@pytest.mark.parametrize("window", [WIDE_WINDOW, NARROW_WINDOW])
def test_the_page_is_never_wider_than_the_window(browser, open_page, size, window):
    page = open_page(large(size), window=window)
    page.press(Keys.END)
    assert page.step == f"Step {size} of {size}"
    excess = "return document.documentElement.scrollWidth - window.innerWidth"
    assert browser.execute_script(excess) <= 0


def test_each_sentence_is_played_on_its_own(open_page):
    page = open_page(LOVE, HI)
    page.all(".target")[1].find_elements("css selector", ".chip")[0].click()
    page.press(Keys.ARROW_RIGHT)
    assert [text.partition(":")[0] for text in page.texts(".status")] == [
        "Step 1 of 5",
        "Step 2 of 2",
    ]


def test_without_attention_there_are_probabilities_and_no_lines(open_page):
    page = open_page(NO_ATTENTION)
    page.press(Keys.ARROW_RIGHT)
    assert page.texts(".status") == ["Step 2 of 2: writes </s> with probability 1.00."]
    assert page.lines() == {}
    assert "no attention" in page.texts("caption")[0]


def test_a_blank_line_is_said_to_be_blank(open_page):
    page = open_page(Translation.empty(), HI)
    assert page.texts(".note") == ["A blank line: nothing to translate."]
    page.press(Keys.ARROW_RIGHT)
    assert page.step == "Step 2 of 2"


UNIFORM = Translation(
    "s", "t", ("▁s", "t", "</s>"), ("▁t", "u"), [[0.36, 0.33, 0.31]] * 2, (1.0, 1.0), 0.0, False
)


def test_almost_uniform_weights_and_a_cut_have_notes(open_page):
    assert open_page(UNIFORM).texts(".note") == [
        "The translation was cut at the length limit.",
        "The weights are almost uniform over the pieces: this model hardly uses its attention. "
        "So there are numbers, but no shades and no lines.",
    ]


@pytest.mark.case(22)
@pytest.mark.parametrize(
    ("words", "number"), [(False, "0.36"), (True, "0.69")], ids=["pieces", "words"]
)
def test_nothing_stands_out_of_almost_uniform_weights(open_page, words, number):
    page = open_page(UNIFORM, words=words)
    page.point(page.all(".source .chip")[0])  # its column
    chips, cells = page.all(".chip"), page.all("td[data-level]")
    assert page.lines() == {}
    assert {page.colour(element) for element in chips + cells} == {page.colour(page.all("body")[0])}
    assert {cell.value_of_css_property("font-weight") for cell in cells} == {"400"}
    assert [cell.text for cell in cells].count(number) == len(page.all("tbody tr"))
    assert page.texts(".status")[0].endswith("with probability 1.00.")
    assert page.texts("caption") == [
        "A row is the attention of one step and sums to 1. p: the piece's probability."
    ]


def test_a_screen_reader_finds_a_named_table_with_headers(open_page):
    page = open_page(LOVE)
    table = page.all("table")[0]
    assert table.accessible_name.startswith("A row is the attention of one step")
    assert [header.aria_role for header in page.all("thead th")] == ["columnheader"] * 6
    assert [header.aria_role for header in page.all("tbody th")] == ["rowheader"] * 5
    assert [group.accessible_name for group in page.all(".switches [role=group]")] == [
        "Units",
        "Language",
    ]
    assert [pieces.accessible_name for pieces in page.all("ol")] == ["Source", "Translation"]


def test_without_the_script_the_table_is_there(browser, open_page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = open_page(LOVE)
        assert len(page.all("table")) == 1
        assert page.all(".stage, button") == []
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_print_shows_all_and_no_buttons(browser, open_page):
    page = open_page(LOVE, scheme="dark")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert page.all(".controls, .switches") == []
    assert page.colour(page.all("body")[0]) == "rgba(255, 255, 255, 1)"
    cells = [row.find_element("css selector", "td") for row in page.all("tbody tr")]
    assert {cell.value_of_css_property("opacity") for cell in cells} == {"1"}

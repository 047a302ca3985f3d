"""HTML in small pieces. Text is escaped here, and nowhere else."""

import re

from .names import escape


def prose(content):
    """Text in which `this` is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(content))


def tag(name, content="", **attributes):
    """An element with markup inside. `class_` is the attribute class."""
    words = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()
                    if value not in (None, ""))
    return f"<{name}{words}>{content}</{name}>"


def text(name, content, **attributes):
    """An element with text inside."""
    return tag(name, escape(content), **attributes)


def link(anchor, content):
    return text("a", content, href=f"#{anchor}")


def items(found, **attributes):
    """A list of markups."""
    return tag("ul", "".join(tag("li", one) for one in found), **attributes)


def table(head, rows, caption="", numeric_from=1, class_=""):
    """A table of markups that scrolls if it is too wide. On a phone each cell shows its heading."""
    def cells(row, name):
        return "".join(
            tag(name, content, class_="number" if place >= numeric_from else "",
                **({"data_head": head[place]} if name == "td" else {"scope": "col"}))
            for place, content in enumerate(row))

    top = tag("thead", tag("tr", cells([escape(word) for word in head], "th")))
    body = tag("tbody", "".join(tag("tr", cells(row, "td")) for row in rows))
    words = text("p", caption, class_="caption") if caption else ""
    return words + tag("div", tag("table", top + body, class_=class_), class_="scroll", tabindex="0")


def details(summary, content, class_=""):
    return tag("details", text("summary", summary) + content, class_=class_)

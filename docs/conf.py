"""Sphinx: python -m sphinx -W -b html docs docs/_build. Nothing is fetched from the network."""

import sys
from pathlib import Path

import thunder

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "Thunder-DeID"
author = "Thunder-DeID"
version = release = thunder.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "from_code"]
exclude_patterns = ["_build", "_extensions"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True  # an internal reference that leads nowhere is an error under -W
nitpick_ignore_regex = [  # types of signatures: Python's, which no page here can link to, and inner
    ("py:class", r"(collections\.abc|pathlib)\..+|Tagger|thunder\.taxonomy\.records\..+"),
]

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"Thunder-DeID {release}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_show_copyright = False
html_show_sourcelink = False
smartquotes = False  # they would make – of --
html_copy_source = False
html_theme_options = {
    "light_css_variables": {
        # Fonts of the reader's own machine; those of Hangul first where there are any.
        "font-stack": "system-ui, 'Noto Sans CJK KR', 'Malgun Gothic', sans-serif",
        "font-stack--monospace": "'D2Coding', 'Noto Sans Mono CJK KR', ui-monospace, monospace",
    }
}

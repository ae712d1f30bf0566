"""A Sphinx site with the Furo theme that embeds two labs."""

project = "Docs with a lab"
html_theme = "furo"
html_favicon = "icon.svg"
exclude_patterns = ["_build", "requirements.txt"]

# SPDX-License-Identifier: Apache-2.0
"""What the plot scripts share: arguments, checked input, and images that appear whole or not at all."""
import argparse
import json
import os
import sys


def fail(message):
    """Ends the script with exit code 2."""
    sys.stderr.write(f"{os.path.basename(sys.argv[0])}: {message}\n")
    sys.exit(2)


def parse_arguments(description, add_options=lambda parser: None):
    """The arguments IN.json and -o OUT, and those that `add_options` adds."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("input", help="JSON file of the program")
    parser.add_argument("-o", "--output", required=True, help="image to write: .png or .svg")
    add_options(parser)
    arguments = parser.parse_args()
    if not arguments.output.endswith((".png", ".svg")):
        parser.error(f"{arguments.output}: the image is to end in .png or .svg")
    return arguments


def read_report(path):
    """A report's root, which has a configuration."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except ValueError as error:
        fail(f"{path}: no JSON: {error}")
    if not isinstance(report, dict) or not isinstance(report.get("configuration"), dict):
        fail(f"{path}: no report of nibblecore (it has no configuration)")
    return report


def is_figure(value):
    """Whether a value is a number, or stands for none."""
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def records(path, report, name, texts, figures):
    """The list `name` of a report, not empty, each element with these members, the latter numbers or
    null."""
    found = report.get(name)
    if not isinstance(found, list) or not found:
        fail(f"{path}: has no {name}")
    for index, record in enumerate(found):
        if not isinstance(record, dict):
            fail(f"{path}: {name}[{index}] is no object")
        for field in [*texts, *figures]:
            if field not in record:
                fail(f"{path}: {name}[{index}] has no {field}")
        for field in figures:
            if not is_figure(record[field]):
                fail(f"{path}: {name}[{index}]: {field} is no number")
    return found


def require_input_kind(path, report, kinds, made_by):
    """Ends the script unless the report is of one of these kinds."""
    if report["configuration"].get("input_kind") not in kinds:
        fail(f"{path}: is not what {made_by} writes")


def pyplot():
    """matplotlib.pyplot, drawing into files, the same bytes for the same input."""
    try:
        import matplotlib
    except ImportError:
        fail("python3-matplotlib is missing; scripts/setup installs it")
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "nibblecore", "svg.fonttype": "none",
                                "axes.grid": True, "grid.alpha": 0.3, "figure.dpi": 120})
    from matplotlib import pyplot as plt
    return plt


def save(figure, path):
    """Writes the figure beside the target and renames it."""
    kind = path[-3:]
    temporary = f"{path}.{os.getpid()}.tmp"
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    try:
        figure.savefig(temporary, format=kind, metadata=metadata, bbox_inches="tight")
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        fail(f"{path}: {error.strerror}")

"""Makes every golden file anew: python3 tests/golden/make_all.py"""

import make_absolute
import make_attention
import make_models
import make_positions
import make_training
from fixture_file import FOLDER, require_versions


def main():
    require_versions()
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for module in (make_models, make_absolute, make_attention, make_positions, make_training):
        module.main()


if __name__ == "__main__":
    main()

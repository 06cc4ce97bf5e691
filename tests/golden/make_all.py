"""Makes every golden file again, except those in layers/: python3 tests/golden/make_all.py

make_layers.py makes the rest, with two versions of transformers.
"""

import json

import make_absolute
import make_attention
import make_checkpoints
import make_families
import make_family_absences
import make_family_changes
import make_family_padding
import make_model_states
import make_model_variants
import make_models
import make_positions
import make_rope_frequencies
import make_training
from fixture_file import FOLDER, require_versions


def main():
    require_versions()
    manifest = FOLDER / "manifest.json"
    rows = json.loads(manifest.read_text("utf-8"))
    for name in [name for name in rows if not name.startswith("layers/")]:
        (FOLDER / name).unlink(missing_ok=True)
        del rows[name]
    manifest.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    for module in (make_models, make_model_states, make_model_variants, make_absolute,
                   make_attention, make_positions, make_rope_frequencies, make_training,
                   make_families, make_family_changes, make_family_absences, make_family_padding,
                   make_checkpoints):
        module.main()


if __name__ == "__main__":
    main()

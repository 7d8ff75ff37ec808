"""What a cell gets of the modules within numpy: ``np.linalg``, ``np.fft``, ``np.polynomial`` and their kin."""

from __future__ import annotations

import typing

from cave_sim.policy.libraries.module_proxy import ModuleProxy
from cave_sim.policy.libraries.numpy_api import LINEAR
from cave_sim.policy.libraries.numpy_parts import (
    COEFFICIENTS,
    EXTENDED,
    FFT,
    TESTING,
    TEXTS_OF_ARRAYS,
    Polynomial,
    windows,
)

PARTS_OF_NUMPY: dict[str, ModuleProxy] = {
    "linalg": ModuleProxy("numpy.linalg", LINEAR),
    "fft": ModuleProxy("numpy.fft", FFT),
    "emath": ModuleProxy("numpy.emath", EXTENDED),
    **{name: ModuleProxy(f"numpy.{name}", TEXTS_OF_ARRAYS) for name in ("char", "strings")},
    "testing": ModuleProxy("numpy.testing", TESTING),
    "typing": ModuleProxy("numpy.typing", dict.fromkeys(("NDArray", "ArrayLike", "DTypeLike"), typing.Any)),
    "polynomial": ModuleProxy(
        "numpy.polynomial",
        {
            "Polynomial": Polynomial,
            "polynomial": ModuleProxy("numpy.polynomial.polynomial", COEFFICIENTS | {"Polynomial": Polynomial}),
        },
    ),
    "lib": ModuleProxy(
        "numpy.lib", {"stride_tricks": ModuleProxy("numpy.lib.stride_tricks", {"sliding_window_view": windows})}
    ),
}
"""Those that draw nothing."""

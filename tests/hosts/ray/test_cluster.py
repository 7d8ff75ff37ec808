"""Starting Ray, and what it leaves behind."""

import os


def test_a_cluster_leaves_nothing_of_its_settings_in_the_environment(cluster):
    settings = ("RAY_USAGE_STATS_ENABLED", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER")
    assert not [name for name in settings if name in os.environ]

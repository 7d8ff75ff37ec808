"""What runs and studies come to: intervals, effects, sensitivity, social measures, plots."""

"""Trials: what a drawing makes of real records, before anything is deployed."""

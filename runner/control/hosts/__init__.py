"""What happens on one machine: its agent, the drives it starts, their children, and what they take."""

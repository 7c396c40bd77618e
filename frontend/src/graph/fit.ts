/** How everything is brought into view: with some air, and not larger than it is read well. */
export const FIT = { padding: 0.1, maxZoom: 1.1 };

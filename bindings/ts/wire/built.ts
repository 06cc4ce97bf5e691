// Which binaries lie beside this package. The build writes this file anew for a package that has
// some of them only: the first page of a clone is served before all are built.
export const hasRelaxed: boolean = true;
export const hasThreads: boolean = true;

// Which binaries are beside this package. The build overwrites this file if it has only some of
// them: the first page of a clone is served before all are built.
export const hasRelaxed: boolean = true;
export const hasThreads: boolean = true;

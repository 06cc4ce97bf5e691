// Settings of the analyzer that its command line has not: our package.json is ours to write.
export default { litelement: true, packagejson: false, quiet: true };

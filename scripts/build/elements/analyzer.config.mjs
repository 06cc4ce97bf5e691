// Settings of the analyzer that have no command-line option; it must not change package.json.
export default { litelement: true, packagejson: false, quiet: true };

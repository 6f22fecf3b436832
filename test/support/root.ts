/** The folder of the project, which every test runs in. */
export const ROOT = process.cwd();

/** The folder of the project, in which every test runs. */
export const ROOT = process.cwd();

import type { CommandName } from './command-names.ts'

/**
 * Usage and summary of each built-in command for `svc --help`. The texts are repeated here, because reading them from
 * the commands would load the compiler and all plugins.
 */
export const COMMAND_SUMMARIES: Readonly<Record<CommandName, readonly [usage: string, summary: string]>> = {
  serve: ['serve [URL]', 'Serve an existing database at once, without a project.'],
  init: ['init [NAME]', 'Write a new project: from a template, or for an existing database.'],
  introspect: ['introspect', 'Propose a schema for the database of a project, or update its schema.'],
  compile: ['compile [INPUT]', 'Check the schema and write the compiled schema.'],
  dev: ['dev [INPUT]', 'Compile, serve, and follow every change of the sources.'],
  run: ['run [INPUT]', 'Serve the compiled schema.'],
  advise: ['advise', 'Advise on the database: indexes, keys, slow views and row-level security.'],
  diff: ['diff OLD NEW', 'List the changes between two schemas, and whether clients break.'],
  generate: ['generate [INPUT]', 'Write a typed client for the API.'],
  config: ['config [INPUT]', 'Show the configuration in use, and where each value comes from.'],
  doctor: ['doctor [INPUT]', 'Check all that `svc run` needs, and say what to do about what is missing.'],
  db: ['db ACTION', 'Apply the SQL scripts of a project to its database.'],
  tables: ['tables [INPUT]', 'Print the SQL of the tables that plugins and `svc db apply` need, or make them.'],
  plugin: ['plugin ACTION NAME', 'Write a new plugin into the project.'],
  plugins: ['plugins [INPUT]', 'List the plugins that run, and why.'],
  completion: ['completion SHELL', 'Print what a shell needs to complete commands and flags.'],
}

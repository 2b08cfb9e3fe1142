/** Names of svc's built-in commands, in the order of `svc --help`. Commands of plugins cannot use these names. */
export const COMMAND_NAMES = [
  'serve',
  'init',
  'introspect',
  'compile',
  'dev',
  'run',
  'advise',
  'diff',
  'generate',
  'config',
  'doctor',
  'db',
  'tables',
  'plugin',
  'plugins',
  'completion',
] as const

export type CommandName = (typeof COMMAND_NAMES)[number]

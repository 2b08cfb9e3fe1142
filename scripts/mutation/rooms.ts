export interface Room {
  readonly name: string
  /** The folder whose sources are changed. */
  readonly folder: string
  /** Test files that may detect the mutants, as `npm test` takes them: the folder's own first, then those of its neighbours. */
  readonly tests: readonly string[]
}

/** Compares declarations of manifests and options with the documents. */
const DECLARED = 'test/repo/generated-docs.test.ts'

const core = (name: string, ...more: readonly string[]): Room => room(`core/${name}`, more)
const plugin = (name: string, ...more: readonly string[]): Room => room(`plugins/${name}`, more)

/** The folders with security decisions, smallest first. */
export const ROOMS: readonly Room[] = [
  plugin('csrf-prevention'),
  plugin('scopes'),
  plugin('token-revocation', 'test/plugins/health/parts.test.ts'),
  plugin('api-keys'),
  plugin('jwt'),
  core(
    'expression',
    'test/core/engine/changes',
    'test/core/engine/validation',
    'test/plugins/subscriptions/filter*.test.ts',
  ),
  core('engine/access', 'test/core/engine/execute', 'test/plugins/policies', 'test/plugins/scopes'),
  plugin('rate-limiting'),
  plugin('policies'),
  plugin('sse', 'test/plugins/subscriptions'),
  plugin('oauth'),
  core('service/stores', 'test/plugins/rate-limiting', 'test/plugins/response-cache'),
  core('schema/checks', 'test/core/engine/validation', 'test/core/schema'),
  core('engine/validation', 'test/core/schema'),
  plugin('response-cache'),
  core('service/lifecycle', 'test/core/engine/execute', 'test/core/service/http'),
  plugin('subscriptions'),
  plugin('observers'),
  plugin('mcp'),
  plugin('federation'),
  plugin('rest'),
]

function room(folder: string, more: readonly string[]): Room {
  return { name: folder.replace(/^.*\//, ''), folder, tests: [`test/${folder}`, ...more, DECLARED] }
}

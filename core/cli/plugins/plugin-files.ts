/** Returns the name of the svc.toml section with a plugin's options: `rate_limiting` for `rate-limiting`. */
export function sectionOf(name: string): string {
  return name.replaceAll('-', '_')
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Returns the source code of a new plugin that `svc plugin` adds to a project.
 * @param name name of the plugin, in kebab-case
 */
export function printPlugin(name: string): string {
  return `import { definePlugin } from 'svc'

/** The section [${sectionOf(name)}] of svc.toml, checked and completed with the defaults below. */
interface Options {
  readonly message: string
}

export default definePlugin<Options>(
  {
    name: '${name}',
    version: '0.1.0',
    kernelApi: 1,
    description: 'Answers GET /${name} with a message.',
    config: '${sectionOf(name)}',
    options: {
      type: 'object',
      additionalProperties: false,
      properties: {
        message: { type: 'string', default: 'It works', description: 'Text of the answer.' },
      },
    },
  },
  (scope, { message }) => {
    scope.route({
      method: 'GET',
      path: '/${name}',
      handler: () => ({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: message }),
    })
  },
)
`
}

/**
 * Returns the source code of the test for a new plugin that `svc plugin` adds to a project.
 * @param name name of the plugin, in kebab-case
 */
export function printPluginTest(name: string): string {
  const local = `${camelCase(name)}Plugin`
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlugin } from 'svc/testing'
import ${local} from '../plugins/${name}.ts'

test('answers with its message', async () => {
  const tested = await testPlugin(${local}, { options: { message: 'Hello' } })
  const response = await tested.inject({ url: '/${name}' })
  assert.equal(response.status, 200)
  assert.equal(response.text, 'Hello')
  await tested.close()
})

test('refuses an unknown option', async () => {
  await assert.rejects(testPlugin(${local}, { options: { massage: 'Hello' } }), /Did you mean "message"/)
})
`
}

/** `npm run new:plugin NAME`: creates a plugin with manifest, options, set-up, test and docs page. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CORE_SECTIONS } from '../core/config/core-sections.ts'

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Reason why a plugin of this name cannot be created; `null` = it can. */
export function findObstacle(root: string, name: string): string | null {
  if (!NAME.test(name)) return `"${name}" is no name for a plugin: write kebab-case, like "rate-limit".`
  const section = toSection(name)
  if (CORE_SECTIONS.some(({ path }) => path === section || path.startsWith(`${section}.`))) {
    return `"${name}" would share the section [${section}] with core. Choose another name.`
  }
  const places = [join('plugins', name), join('test', 'plugins', name), join('docs', 'plugins', `${name}.md`)]
  const taken = places.find((place) => existsSync(join(root, place)))
  return taken === undefined ? null : `${taken} exists already.`
}

/**
 * Writes the files.
 * @param root absolute path of the repository
 * @returns their paths, relative to `root`
 */
export function layOutPlugin(root: string, name: string): readonly string[] {
  const files: Readonly<Record<string, string>> = {
    [`plugins/${name}/manifest.ts`]: manifestText(name),
    [`plugins/${name}/options.ts`]: optionsText(name),
    [`plugins/${name}/index.ts`]: indexText(name),
    [`test/plugins/${name}/${name}.test.ts`]: testText(name),
    [`docs/plugins/${name}.md`]: docsText(name),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { flag: 'wx' })
  }
  return Object.keys(files)
}

const toSection = (name: string) => name.replaceAll('-', '_')
const toCamel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const toPascal = (name: string) => toCamel(name).replace(/^./, (letter) => letter.toUpperCase())

const manifestText = (name: string) => `import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: '${name}',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Answers GET /${name} with a message.',
  config: '${toSection(name)}',
  options,
}
export default manifest
`

const optionsText = (name: string) => `import type { JsonSchema } from '../../core/doors/plugin.ts'

/** The \`[${toSection(name)}]\` section, validated and filled with its defaults. */
export interface ${toPascal(name)}Options {
  readonly message: string
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    message: { type: 'string', default: 'It works', description: 'What is answered.' },
  },
}
`

const indexText = (name: string) => `import { definePlugin } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'
import type { ${toPascal(name)}Options } from './options.ts'

export default definePlugin<${toPascal(name)}Options>(manifest, (scope, { message }) => {
  scope.route({
    method: 'GET',
    path: '/${name}',
    handler: () => ({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: message }),
  })
})
`

const testText = (name: string) => `import t from 'tap'
import { testPlugin } from '../../../core/testing/testing.ts'
import ${toCamel(name)} from '../../../plugins/${name}/index.ts'

t.test('answers with its message', async (t) => {
  const tested = await testPlugin(${toCamel(name)}, { options: { message: 'Hello' } })
  const response = await tested.inject({ url: '/${name}' })
  t.equal(response.status, 200)
  t.equal(response.text, 'Hello')
  await tested.close()
})

t.test('refuses options that it does not know', async (t) => {
  await t.rejects(testPlugin(${toCamel(name)}, { options: { massage: 'Hello' } }), { message: /Did you mean "message"/ })
})
`

const docsText = (name: string) => `# ${name}

Answers \`GET /${name}\` with a message.

\`\`\`toml
[plugins]
enable = ["${name}"]

[${toSection(name)}]
message = "Hello"
\`\`\`

| Key | Default | Meaning |
|---|---|---|
| \`message\` | \`It works\` | what is answered |
`

/** @returns the exit code */
function main(args: readonly string[]): number {
  const [name, ...rest] = args
  if (name === undefined || rest.length > 0) {
    process.stderr.write('Usage: npm run new:plugin NAME\n')
    return 2
  }
  const root = fileURLToPath(new URL('..', import.meta.url))
  const obstacle = findObstacle(root, name)
  if (obstacle !== null) {
    process.stderr.write(`${obstacle}\n`)
    return 2
  }
  for (const path of layOutPlugin(root, name)) process.stdout.write(`${path}\n`)
  process.stdout.write(
    `\nNext: write what it does in plugins/${name}/index.ts, then add it to a preset in presets/ so that it can be enabled.\n`,
  )
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { replaceFile } from '../../base/util/replace-file.ts'
import { CORE_SECTIONS } from '../../config/core-sections.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { TEST_SCRIPT } from '../init/config-files.ts'
import { loadProject, type Project } from '../project/load-project.ts'
import { printPlugin, printPluginTest, sectionOf } from './plugin-files.ts'

/** The command `svc plugin`, which adds a new plugin with a test to a project. */
export const pluginCommand = defineCommand({
  name: 'plugin',
  summary: 'Write a new plugin into the project.',
  description:
    'Writes plugins/NAME.ts and test/NAME.test.ts, and adds the plugin to svc.toml. The plugin answers GET /NAME with a\n' +
    'message that its options set; the test runs it with svc/testing. `npm test` runs the tests of the project.',
  arguments: [
    { name: 'ACTION', required: true, choices: ['new'], description: 'new: write a plugin.' },
    { name: 'NAME', required: true, description: 'Name in kebab-case: audit-trail.' },
  ],
  options: [
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder.' },
    JSON_FLAG,
  ],
  examples: ['svc plugin new audit-trail'],
  run,
})

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

async function run({ positionals, flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const name = positionals[1] ?? ''
  const input = typeof flags.config === 'string' ? flags.config : undefined
  // The database is not needed: its variables may be undefined.
  const options = { input, ignore: ['database.url'] }
  const project = await loadProject(options, io)
  refuseName(name, project)
  const { baseDir, file } = project
  const files = {
    [`plugins/${name}.ts`]: printPlugin(name),
    [`test/${name}.test.ts`]: printPluginTest(name),
  }
  const taken = Object.keys(files).find((path) => existsSync(join(baseDir, path)))
  if (taken !== undefined) throw refused(`${taken} exists already. Choose another name, or remove the file.`)

  const written: string[] = []
  const config = await readFile(file, 'utf8')
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(baseDir, path)), { recursive: true })
      await writeFile(join(baseDir, path), text, { flag: 'wx' })
      written.push(join(baseDir, path))
    }
    await replaceFile(file, `${config.replace(/\n*$/, '\n')}\n[[plugins.use]]\npath = "./plugins/${name}.ts"\n`)
    // Loads the plugin, too.
    await loadProject(options, io)
  } catch (cause) {
    await replaceFile(file, config)
    for (const path of written) await rm(path, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SvcError('SVC_INIT_REFUSED', `The plugin was not added; no file has changed. ${reason}`, { cause })
  }
  const shown = (path: string): string => relative(io.cwd, path) || path
  const manifest = join(baseDir, 'package.json')
  const changed = [...written, file, ...((await addTestScript(manifest)) ? [manifest] : [])].map(shown)
  if (flags.json === true) {
    printJson(io, { written: changed, route: `/${name}` })
    return EXIT.ok
  }
  for (const path of changed) io.stdout(`${path}\n`)
  io.stdout(`\nGET /${name} answers now. Run its test with: npm test\n`)
  return EXIT.ok
}

function refuseName(name: string, { available, baseDir }: Project): void {
  if (!NAME.test(name)) {
    throw new SvcError('SVC_USAGE', `"${name}" is no name for a plugin: write kebab-case, such as audit-trail.`)
  }
  if (available.some(({ manifest }) => manifest.name === name)) {
    throw refused(`There is a plugin "${name}" already. Choose another name. See: svc plugins`)
  }
  const section = sectionOf(name)
  if (CORE_SECTIONS.some(({ path }) => path === section || path.startsWith(`${section}.`))) {
    throw refused(`"${name}" would share the section [${section}] with svc itself. Choose another name.`)
  }
  if (!existsSync(baseDir)) throw refused(`${baseDir} does not exist.`)
}

function refused(message: string): SvcError {
  return new SvcError('SVC_INIT_REFUSED', message)
}

/** Adds the script `test` to a package.json without one. @returns whether the file was changed */
async function addTestScript(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return false
  const manifest = JSON.parse(text) as { scripts?: Record<string, string> }
  const { test } = manifest.scripts ?? {}
  if (test !== undefined && !test.includes('no test specified')) return false
  const scripts = { ...manifest.scripts, test: TEST_SCRIPT }
  await replaceFile(path, `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`)
  return true
}

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { redactText } from '../../base/util/redact-text.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { checkArtifact } from '../../schema/link.ts'
import { readCompiledSchema } from '../../schema/read-compiled.ts'
import { loadTls } from '../../service/http/tls.ts'
import { loadSchema } from '../../service/load-schema.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { bootForListing } from '../boot-for-listing.ts'
import { checkList } from '../check-list.ts'
import type { CommandIo } from '../command.ts'
import { warningsOf } from '../describe-service.ts'
import { type LoadProjectOptions, loadProject, type Project } from '../load-project.ts'
import { examineDatabase } from './examine-database.ts'
import { examinePlugins } from './examine-plugins.ts'
import { examineStores } from './examine-stores.ts'
import { type Finding, failed, ok, skipped, warning } from './finding.ts'
import { SILENT_LOG } from './silent-log.ts'

/** What cannot be looked at where the configuration cannot be read. */
const REST = [
  'plugins',
  'compiled schema',
  'schema format',
  'set-up',
  'credentials',
  'database url',
  'database',
  'sources',
  'tables',
  'key-value store',
  'tls',
]

/**
 * Looks at all that `svc run` needs, each by itself, so that one fault does not hide the others. Nothing is served, and
 * nothing is left behind: an embedded database that is not there yet is laid out in memory.
 */
export async function examine(options: LoadProjectOptions, io: CommandIo): Promise<readonly Finding[]> {
  let project: Project
  try {
    project = await loadProject(options, io)
  } catch (error) {
    return [failed('configuration', error), ...REST.map((name) => skipped(name, 'the configuration cannot be read'))]
  }
  const schema = await examineSchema(project)
  return [
    ok('configuration', near(project.file, io.cwd)),
    await examineList(project),
    ...schema.findings,
    ...(await examineSetUp(project, schema.compiled)),
    ...(await examineDatabase(project, schema.compiled)),
    ...(await examineStores(project)),
    await examineTls(project),
    ...(await examinePlugins(project, schema.compiled, io)),
  ]
}

async function examineList(project: Project): Promise<Finding> {
  const refusal = await checkList(project).catch((error: unknown) => error)
  if (refusal !== null) return failed('plugins', refusal)
  const { listed } = project.list
  return ok(
    'plugins',
    `${listed.length} of preset ${project.preset}: ${listed.map((one) => one.manifest.name).join(', ')}`,
  )
}

interface ExaminedSchema {
  readonly compiled: CompiledSchema | null
  readonly findings: readonly Finding[]
}

async function examineSchema({ artifact, baseDir }: Project): Promise<ExaminedSchema> {
  let compiled: CompiledSchema
  try {
    compiled = await readCompiledSchema(artifact)
  } catch (error) {
    const why = existsSync(artifact) ? 'it cannot be read' : 'there is none'
    return { compiled: null, findings: [failed('compiled schema', error), skipped('schema format', why)] }
  }
  const found = ok('compiled schema', near(artifact, baseDir))
  try {
    checkArtifact(compiled)
    return { compiled, findings: [found, ok('schema format', `version ${compiled.schema_format_version}`)] }
  } catch (error) {
    return { compiled: null, findings: [found, failed('schema format', error)] }
  }
}

/** Plugins know best what they lack: they are set up as at boot, without a database. */
async function examineSetUp(project: Project, compiled: CompiledSchema | null): Promise<readonly Finding[]> {
  if (compiled === null) {
    const why = 'there is no schema to set up for'
    return [skipped('set-up', why), skipped('credentials', why)]
  }
  try {
    const signals = createSignals()
    const warned: Finding[] = []
    signals.subscribe((signal) => {
      if (signal.type === 'warning') warned.push(warning('set-up', `${signal.plugin}: ${signal.message}`))
    })
    const kernel = await bootForListing(project, await loadSchema(project.artifact), SILENT_LOG, signals)
    try {
      const problems = warningsOf(kernel, project.config.security.default_policy)
      const verifies =
        kernel.hooks.authenticate === null ? 'no operation wants one' : 'verified by the plugins of the list'
      return [
        ok('set-up', `${kernel.describe().plugins.length} plugins can be set up`),
        ...warned,
        ...(problems.length === 0
          ? [ok('credentials', verifies)]
          : problems.map((problem) => warning('credentials', problem))),
      ]
    } finally {
      await kernel.close()
    }
  } catch (error) {
    return [failed('set-up', error), skipped('credentials', 'the plugins cannot be set up')]
  }
}

async function examineTls({ config, baseDir }: Project): Promise<Finding> {
  const { tls } = config.server
  if (!tls.enabled) return skipped('tls', 'server.tls is off')
  try {
    await loadTls(tls, baseDir)
    return ok('tls', `certificate and key fit, TLS ${tls.min_version} and newer`)
  } catch (error) {
    return failed('tls', error)
  }
}

function near(path: string, folder: string): string {
  const shown = relative(folder, path)
  return redactText(shown.startsWith('..') ? path : shown)
}

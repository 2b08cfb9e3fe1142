import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { redactText } from '../../base/util/redact-text.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import { checkOptions } from '../../kernel/options.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { checkArtifact } from '../../schema/link/link.ts'
import { readCompiledSchema } from '../../schema/read-compiled.ts'
import { loadTls } from '../../service/http/tls.ts'
import { loadSchema } from '../../service/load-schema.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { openRedis } from '../../service/stores/redis.ts'
import type { CommandIo } from '../command/command.ts'
import { bootForListing } from '../project/boot-for-listing.ts'
import { checkList } from '../project/check-list.ts'
import { warningsOf } from '../project/describe-service.ts'
import { type LoadProjectOptions, loadProject, type Project } from '../project/load-project.ts'
import type { DoctorCheck } from './doctor-check.ts'
import { examineDatabase } from './examine-database.ts'
import { examinePackages } from './examine-packages.ts'
import { type Finding, failed, ok, skipped, warning } from './finding.ts'
import { SILENT_LOG } from './silent-log.ts'

/** Checks that are skipped when the configuration cannot be read. */
const REST = [
  'plugins',
  'packages',
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
 * Runs all checks of `svc doctor`: everything that `svc run` needs. The checks are independent, so that one failure
 * does not hide others. They leave nothing behind: a missing embedded database is created in memory.
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
    examinePackages(project.list.listed, schema.compiled),
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

/** Sets up the plugins as at boot, without a database, and reports their errors. */
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

/** Runs the checks of the plugins of the list, independently. */
async function examinePlugins(
  { list, baseDir }: Project,
  schema: CompiledSchema | null,
  { env }: CommandIo,
): Promise<readonly Finding[]> {
  const findings = list.listed.map(async (plugin): Promise<readonly Finding[]> => {
    const { manifest, options: given } = plugin
    if (manifest.doctor === undefined) return []
    const { value: options, faults } = checkOptions(manifest, given)
    // The check of the list has reported these faults.
    if (faults.length > 0) return []
    try {
      const check = await loadCheck(plugin, manifest.doctor)
      return (await check({ options, baseDir, env, schema })).map(withoutSecrets)
    } catch (error) {
      return [withoutSecrets(failed(manifest.name, error))]
    }
  })
  return (await Promise.all(findings)).flat()
}

async function loadCheck({ manifest, loadModule }: ListedPlugin, module: string): Promise<DoctorCheck> {
  const check = (await loadModule(module)).default
  if (typeof check === 'function') return check as DoctorCheck
  const message = `"${module}" of plugin "${manifest.name}" checks nothing. Export \`defineDoctorCheck(…)\` as the default.`
  throw new SvcError('SVC_PLUGIN_INVALID', message)
}

function withoutSecrets(finding: Finding): Finding {
  return { ...finding, message: redactText(finding.message) }
}

const NAME = 'key-value store'
/** Key of the URL of the store, the same in all sections. */
const KEY = 'kvstore_url'

/** Checks each server that the options of plugins name, once. */
async function examineStores({ list }: Project): Promise<readonly Finding[]> {
  const urls = new Set(list.listed.map(({ options }) => options[KEY]).filter((url) => typeof url === 'string'))
  if (urls.size === 0) return [skipped(NAME, 'no plugin is configured to use one')]
  return Promise.all([...urls].map(examineStore))
}

async function examineStore(url: string): Promise<Finding> {
  try {
    const redis = await openRedis(url, { signals: createSignals() })
    try {
      await redis.call('PING')
      return ok(NAME, `${redactText(url)} answers`)
    } finally {
      await redis.close()
    }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'SVC_PACKAGE_MISSING') return failed(NAME, error)
    const cause = (error as Error).cause
    const reason = cause instanceof Error ? cause.message : (error as Error).message
    return failed(NAME, new Error(`${redactText(url)} cannot be reached: ${redactText(reason)}`))
  }
}

import { SvcError } from '../../base/errors/svc-error.ts'
import { redactText } from '../../base/util/redact-text.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import { checkOptions } from '../../kernel/options.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import type { CommandIo } from '../command.ts'
import type { Project } from '../load-project.ts'
import type { DoctorCheck } from './doctor-check.ts'
import { type Finding, failed } from './finding.ts'

/** What the plugins of the list know to look at, each by itself. */
export async function examinePlugins(
  { list, baseDir }: Project,
  schema: CompiledSchema | null,
  { env }: CommandIo,
): Promise<readonly Finding[]> {
  const findings = list.listed.map(async (plugin): Promise<readonly Finding[]> => {
    const { manifest, options: given } = plugin
    if (manifest.doctor === undefined) return []
    const { value: options, faults } = checkOptions(manifest, given)
    // The check of the list has said it.
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

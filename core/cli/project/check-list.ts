import { existsSync } from 'node:fs'
import { type BootFault, bootFailed } from '../../kernel/faults.ts'
import { checkOptions } from '../../kernel/options.ts'
import { orderPlugins } from '../../kernel/order.ts'
import { readCompiledSchema } from '../../schema/read-compiled.ts'
import { checkRequires } from '../../service/plugins/check-manifests.ts'
import type { Project } from './load-project.ts'

/**
 * Checks the project's list of plugins as `svc run` does before the set-up of the plugins: missing dependencies,
 * cycles, duplicates, options, and plugins that the compiled schema requires. Loads no plugin code.
 * @returns the error that `svc run` would report; `null`: the list is valid
 */
export async function checkList({ list, artifact }: Project): Promise<Error | null> {
  const { listed, left } = list
  const names = new Set(listed.map(({ manifest }) => manifest.name))
  const requires = existsSync(artifact) ? await requiresOf(artifact) : []
  const faults: readonly BootFault[] = [
    ...orderPlugins(listed, left).faults,
    ...listed.flatMap(({ manifest, options }) => checkOptions(manifest, options).faults),
    ...checkRequires({ requires }, names, left),
  ]
  return faults.length === 0 ? null : bootFailed(faults)
}

/** Reads the requirements of the artifact. `svc run` reports an artifact of another format. */
async function requiresOf(artifact: string): Promise<readonly string[]> {
  const { requires } = await readCompiledSchema(artifact)
  return Array.isArray(requires) ? requires : []
}

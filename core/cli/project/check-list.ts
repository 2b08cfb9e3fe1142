import { existsSync } from 'node:fs'
import { type BootFault, bootFailed } from '../../kernel/faults.ts'
import { checkOptions } from '../../kernel/options.ts'
import { orderPlugins } from '../../kernel/order.ts'
import { readCompiledSchema } from '../../schema/read-compiled.ts'
import { checkRequires } from '../../service/plugins/check-manifests.ts'
import type { Project } from './load-project.ts'

/**
 * What `svc run` would refuse about the list before any set-up: missing dependencies, circles, twins, options, and
 * what the compiled schema, where there is one, relies on. Loads no implementation.
 * @returns the error that `svc run` would end with, or `null`
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

/** An artifact of another format is `svc run`'s to refuse. */
async function requiresOf(artifact: string): Promise<readonly string[]> {
  const { requires } = await readCompiledSchema(artifact)
  return Array.isArray(requires) ? requires : []
}

import { loadPlugins } from '../config/plugin-list.ts'
import { createKernel } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/running-kernel.ts'
import type { Log } from '../kernel/scope.ts'
import type { SchemaModel } from '../schema/model.ts'
import { createSignals } from '../service/signals/signals.ts'
import type { Project } from './load-project.ts'
import { readVersion } from './own-package.ts'

/** Sets the plugins up as at boot, without a database and without listening. The caller closes the kernel. */
export async function bootForListing(
  { list, config, baseDir }: Project,
  schema: SchemaModel,
  log: Log,
  signals = createSignals(),
): Promise<Kernel> {
  return createKernel({
    plugins: await loadPlugins(list.listed),
    known: list.left,
    config,
    log,
    signals,
    process: { version: readVersion(), baseDir },
    schema,
  })
}

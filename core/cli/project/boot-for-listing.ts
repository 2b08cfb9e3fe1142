import { readVersion } from '../../base/packages/own-package.ts'
import { loadPlugins } from '../../config/plugin-list.ts'
import type { Log } from '../../contract/scope.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { createServiceKernel } from '../../service/plugins/create-service-kernel.ts'
import type { ServiceKernel } from '../../service/plugins/service-kernel.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import type { Project } from './load-project.ts'

/**
 * Sets up the plugins of a project as `svc run` does, without a database and without listening, so that a command can
 * list what they register. The caller closes the kernel.
 */
export async function bootForListing(
  { list, config, baseDir }: Project,
  schema: SchemaModel,
  log: Log,
  signals = createSignals(),
): Promise<ServiceKernel> {
  return createServiceKernel({
    plugins: await loadPlugins(list.listed),
    known: list.left,
    config,
    log,
    signals,
    process: { version: readVersion(), baseDir },
    schema,
  })
}

import { Counter, type Registry } from 'prom-client'
import type { Scope } from '../../core/index.ts'

/** Spec "Schema reload", 7. */
export function countReloads(scope: Scope, registry: Registry): void {
  const registers = [registry]
  const reloads = new Counter({
    name: 'svc_schema_reloads_total',
    help: 'Schemas that were loaded in the place of another one.',
    registers,
  })
  const errors = new Counter({
    name: 'svc_schema_reload_errors_total',
    help: 'Reloads that failed; the schema before serves on.',
    registers,
  })
  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'generation-loaded' && signal.reason === 'reload') reloads.inc()
    else if (signal.type === 'reload-failed') errors.inc()
  })
  scope.onClose(end)
}

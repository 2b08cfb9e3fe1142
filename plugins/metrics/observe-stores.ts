import { listStores, type Metric, type Scope } from '../../core/doors/plugin.ts'

/** The key-value servers that plugins keep something in, as they are when the metrics are read. */
export function observeStores({ signals }: Scope): Metric {
  return {
    name: 'svc_store_up',
    help: 'Whether the key-value server answers: 1 or 0.',
    type: 'gauge',
    read: () => listStores(signals).map(({ host, isUp }) => ({ labels: { store: host }, value: isUp ? 1 : 0 })),
  }
}

import type { Metric, Scope } from '../../core/doors/plugin.ts'
import { singleMetric } from './metric.ts'

/** Processor time, memory and start under the names that every Prometheus client library gives them. */
export function observeProcess({ process: { startedAt, version } }: Scope): readonly Metric[] {
  return [
    singleMetric('counter', 'process_cpu_seconds_total', 'Processor time of the process, user and system.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
    singleMetric('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', () =>
      process.memoryUsage.rss(),
    ),
    singleMetric(
      'gauge',
      'process_start_time_seconds',
      'When the process started, in seconds since 1970.',
      () => startedAt.getTime() / 1000,
    ),
    {
      name: 'svc_build_info',
      help: 'The version of svc.',
      type: 'gauge',
      read: () => [{ labels: { version }, value: 1 }],
    },
  ]
}

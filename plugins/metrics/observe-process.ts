import { Counter, Gauge, type Registry } from 'prom-client'
import type { Scope } from '../../core/index.ts'

/** Processor time, memory and start under the names that every Prometheus client library gives them. */
export function observeProcess(scope: Scope, registry: Registry): void {
  const registers = [registry]
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    registers,
  }).set(scope.process.startedAt.getTime() / 1000)
  new Gauge({
    name: 'svc_build_info',
    help: 'The version of svc.',
    labelNames: ['version'],
    registers,
  }).set({ version: scope.process.version }, 1)
}

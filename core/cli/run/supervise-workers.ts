import { listSecrets } from '../../config/redact.ts'
import { createLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, EXIT, type ExitCode } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { createForker } from '../workers/fork-worker.ts'
import { shareDatabase } from '../workers/share-database.ts'
import { WorkerPool } from '../workers/worker-pool.ts'
import { announceService } from './print-banner.ts'
import { RunEnd } from './run-end.ts'
import { watchProject } from './watch-project.ts'

/** Time for closing besides the requests: hooks after a commit, plugins, the database. */
const CLOSING_MS = 15_000

/**
 * Runs `svc run` with `server.workers` above 1. This process serves no requests itself: it accepts connections and
 * distributes them to worker processes, forwards stop and reload signals, and replaces workers that die.
 * @throws SvcError SVC_CONFIG_INVALID: the configuration cannot be divided among the workers, such as a `pool_max`
 * below their number
 */
export async function superviseWorkers(project: Project, args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const end = new RunEnd(io, io.stopSignal())
  const { stop } = end
  const { config, schema } = project
  const { workers: count, shutdown_grace_ms: grace, shutdown_timeout_ms: timeout } = config.server
  shareDatabase(config, 1)
  const secrets = listSecrets(config, schema)
  const log = createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal, secrets })
  end.log = log
  const ends: (() => void)[] = [() => end.close()]

  const pool = new WorkerPool({
    count,
    fork: createForker(args, io),
    log,
    stopTimeoutMs: grace + timeout + CLOSING_MS,
    onReady: ({ service }) => announceService(service, log, io),
  })
  // A second signal ends this process at once. Its workers are killed with it.
  process.once('exit', () => pool.kill())
  const reload = () => void pool.reload()
  ends.push(io.onReload(reload))
  if (args.flags.watch === true) ends.push(await watchProject(project, { serving: null, io, log, reload }))
  if (stop.aborted) pool.stop()
  stop.addEventListener('abort', () => pool.stop(), { once: true })
  const code = await pool.finished
  for (const close of ends) close()
  return code === EXIT.ok ? end.code : code
}

import cluster from 'node:cluster'
import type { Peers } from '../../contract/peers.ts'
import type { WorkersView } from '../../contract/process.ts'
import { Answers } from '../../service/plugins/lone-peers.ts'
import { type Announcement, type SupervisorMessage, WORKER_VARIABLE, type WorkerMessage } from './messages.ts'

/** A worker process's connection to its supervisor process. */
export interface WorkerLink {
  /** Number of the worker, from 1. A worker that replaces a dead one gets its number. */
  readonly index: number
  /** Aborts when the worker has to shut down, because of the supervisor or a signal. */
  readonly stop: AbortSignal
  /**
   * Returns how many workers are configured and how many listen, as the supervisor last reported. `/health` shows the
   * numbers.
   */
  workers(): WorkersView
  readonly peers: Peers
  /** Reports to the supervisor that the worker has started to listen. */
  announce(about: Announcement): void
  /**
   * Registers the function that reloads the schema when the supervisor requests it. Its result is sent to the
   * supervisor.
   * @returns a function that unsubscribes
   */
  onReload(reload: () => Promise<Reloaded>): () => void
  /** Closes the connection to the supervisor, so that the worker process can exit. */
  end(): void
}

export interface Reloaded {
  readonly result: 'swapped' | 'unchanged'
  readonly hash: string
}

/** Connects a worker process to its supervisor. @returns `null` when this process is no worker */
export function linkToSupervisor(env: Readonly<Record<string, string | undefined>>): WorkerLink | null {
  const index = Number(env[WORKER_VARIABLE])
  const { worker } = cluster
  if (!cluster.isWorker || worker === undefined || !Number.isInteger(index)) return null
  const stop = new AbortController()
  let listening = 0
  let configured = 1
  let reload: (() => Promise<Reloaded>) | null = null

  const say = (message: WorkerMessage): boolean => worker.isConnected() && worker.send(message)
  const peers = createWorkerPeers(index, say)
  worker.on('message', (message: SupervisorMessage) => {
    peers.receive(message)
    switch (message.type) {
      case 'stop':
        return stop.abort()
      case 'workers':
        listening = message.listening
        configured = message.configured
        return
      case 'reload':
        void reload?.().then(
          (done) => say({ type: 'reloaded', ...done }),
          (error: unknown) =>
            say({ type: 'reload-failed', reason: error instanceof Error ? error.message : String(error) }),
        )
    }
  })
  // A terminal and a service manager signal all processes of the group. The supervisor counts the second one and sends
  // reloads; a worker that is stopped by itself is replaced.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  process.on('SIGUSR1', () => {})

  return {
    index,
    stop: stop.signal,
    workers: () => ({ configured, listening }),
    peers,
    announce: (about) => void say({ type: 'listening', ...about }),
    onReload(listener) {
      reload = listener
      return () => {
        reload = null
      }
    },
    end: () => worker.disconnect(),
  }
}

/** Exchanges messages with the other workers, through the supervisor. */
interface WorkerPeers extends Peers {
  /** Handles a message of the supervisor. Messages of other kinds are ignored. */
  receive(message: SupervisorMessage): void
}

/**
 * Creates the object through which plugins of a worker exchange messages with the other workers. The supervisor
 * forwards the messages.
 * @param index number of the worker, from 1
 * @param say sends a message to the supervisor; returns `false` when the supervisor has exited
 */
export function createWorkerPeers(index: number, say: (message: WorkerMessage) => boolean): WorkerPeers {
  const answers = new Answers()
  const waiting = new Map<number, (answers: readonly unknown[]) => void>()
  let asked = 0

  async function answer(question: number, topic: string): Promise<void> {
    // A worker that cannot answer sends no answers.
    const given = await answers.give(topic).catch(() => [])
    say({ type: 'answer', question, answers: given })
  }

  return {
    index,
    answer: (topic, give) => answers.add(topic, give),
    ask: (topic) =>
      new Promise((resolve) => {
        const id = ++asked
        waiting.set(id, resolve)
        if (say({ type: 'ask', id, topic })) return
        waiting.delete(id)
        resolve(answers.give(topic))
      }),
    tell: (topic, value) => void say({ type: 'tell', topic, value }),
    hear: (topic, listener) => answers.listen(topic, listener),
    receive(message) {
      if (message.type === 'question') void answer(message.question, message.topic)
      else if (message.type === 'told') answers.told(message.topic, message.value)
      else if (message.type === 'answers') {
        waiting.get(message.id)?.(message.answers)
        waiting.delete(message.id)
      }
    },
  }
}

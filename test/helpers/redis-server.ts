import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { skip, type TestLike } from './services.ts'

/** A Redis server of one test, which may be frozen and killed. */
export interface RedisServer {
  readonly url: string
  /** Stops the process as SIGSTOP does: connections stay, and nothing answers. */
  freeze(): void
  thaw(): void
}

/** Starts a server on a free port; ends with the test. @returns `null`: the program is not installed, and the test is skipped */
export async function startRedis(t: TestLike): Promise<RedisServer | null> {
  const port = await freePort()
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--enable-debug-command',
      'local',
    ],
    {
      stdio: 'ignore',
    },
  )
  if (!(await hasStarted(server, port))) {
    skip(t, 'redis-server', 'the program redis-server does not start')
    return null
  }
  const ended = once(server, 'exit')
  t.teardown(async () => {
    server.kill('SIGKILL')
    await ended
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
  }
}

async function hasStarted(server: ChildProcess, port: number): Promise<boolean> {
  let isOver = false
  server.once('error', () => {
    isOver = true
  })
  server.once('exit', () => {
    isOver = true
  })
  for (let i = 0; i < 100 && !isOver; i++) {
    if (await answers(port)) return true
    await sleep(50)
  }
  return false
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', () => done(true))
    socket.once('error', () => done(false))
    function done(is: boolean): void {
      socket.destroy()
      resolve(is)
    }
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

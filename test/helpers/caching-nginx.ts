import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skip, type TestLike } from './services.ts'

const BINARIES = ['nginx', '/usr/sbin/nginx']

/** Answers of a service through a cache that shares whatever it may. */
export interface CachingNginx {
  readonly url: string
}

/**
 * Starts an nginx of its own before a service, which keeps what `Cache-Control` and `Vary` let it keep: everything for a minute that says
 * nothing about it. The header `x-cache-status` of an answer says HIT or MISS. Stopped at the end of the test.
 * @param upstream URL of the service
 * @returns `null`: there is no nginx here, and the test is skipped
 */
export async function cachingNginx(t: TestLike, upstream: string): Promise<CachingNginx | null> {
  const binary = BINARIES.find((name) => spawnSync(name, ['-v']).status === 0)
  if (binary === undefined) {
    skip(t, 'a shared cache', 'nginx is not installed')
    return null
  }
  const folder = await mkdtemp(join(tmpdir(), 'svc-nginx-'))
  await mkdir(join(folder, 'cache'))
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  await writeFile(config, configFor(folder, port, upstream))
  const child = spawn(binary, ['-c', config, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  t.teardown(async () => {
    await stop(child)
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  await answers(url, child)
  return { url }
}

function configFor(folder: string, port: number, upstream: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // Its workers would be another user's, who may not read the folder.
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  return `${user}daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  proxy_cache_path ${folder}/cache keys_zone=answers:1m use_temp_path=off;
  server {
    listen 127.0.0.1:${port};
    location = /is-up { return 204; }
    location /ws {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
    }
    location / {
      proxy_pass ${upstream};
      proxy_cache answers;
      proxy_cache_methods GET HEAD;
      proxy_cache_key $request_uri;
      # What the answer does not say for itself is kept: the worst cache that the standard allows.
      proxy_cache_valid any 60s;
      add_header x-cache-status $upstream_cache_status always;
    }
  }
}
`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`)
    const reply = await fetch(`${url}/is-up`).catch(() => null)
    if (reply?.status === 204) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nginx does not answer.')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}

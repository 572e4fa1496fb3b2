import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Actor, AppContext, Person, SignedIn } from '../context.ts'
import type { EventStream, FileDownload, Paged, Streamed } from './results.ts'

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Parsed<E, Key extends string> = E extends Record<Key, infer S extends z.core.$ZodType> ? z.output<S> : undefined

type Body<E extends Endpoint> = z.input<E['response']>

type Result<E extends Endpoint> = E extends { kind: 'csv' }
  ? FileDownload
  : E extends { kind: 'events' }
    ? EventStream
    : | Body<E>
      | (Body<E> extends readonly (infer Item)[]
          ? Paged<Item> | Streamed<Item>
          : Body<E> extends { data: readonly (infer Item)[] }
            ? Paged<Item> | Streamed<Item>
            : never)

type Input<E extends Endpoint> = {
  /** Ids from the path. All are well-formed: a malformed one is a 404. */
  params: Record<ParamNames<E['path']>, string>
  query: Parsed<E, 'query'>
  body: Parsed<E, 'body'>
  /** The sender of the request; undefined only on public endpoints. */
  session: E['access'] extends 'public'
    ? undefined
    : E extends { peopleOnly: true } | { sensitive: true }
      ? Person
      : SignedIn
  context: AppContext
  /** Who makes the changes of this request. */
  actor: Actor
  /** For what no schema describes: multipart parts, the client's address. */
  request: FastifyRequest
  /** For handlers that read the body themselves: throws once it has arrived if the sender may not send it any more. */
  admitAgain: () => Promise<void>
}

export type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Result<E>>

/** A handler for each endpoint of a domain: a missing one is a compile error. */
export type Handlers<Group extends Record<string, Endpoint>> = { [Name in keyof Group]: Handler<Group[Name]> }

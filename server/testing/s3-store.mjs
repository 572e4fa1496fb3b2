import S3rver from '@20minutes/s3rver'

/** A process of its own, so that it can be killed. Started by s3-server.ts, with port, folder and bucket. */

const [port, directory, bucket] = process.argv.slice(2)

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  configureBuckets: [{ name: bucket, configs: [] }],
})

// It takes the bucket's address to be signed without the slash at its end, however it was sent; stores take it as it is.
server.middleware.splice(-1, 0, (context, next) => {
  if (context.path === `/${bucket}/`) {
    context.state.vhost = true
    context.mountPath = '/'
  }
  return next()
})

await server.run()
process.stdout.write('listening\n')

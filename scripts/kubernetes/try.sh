#!/usr/bin/env bash
# Tries the chart on a real cluster; --help says how.
set -euo pipefail

help() {
  cat <<'TEXT'
Installs the chart of this checkout in the cluster that KUBECONFIG names, uses it, breaks it, upgrades
it and rolls it back, counts what fails, prints a table, and removes everything again. It exits with 1
if a promise was broken. It takes about half an hour; a node with two cores and 4 GiB is enough.

  scripts/kubernetes/try.sh [--only SCENARIO]… [--sessions N] [--keep] [--write] [--list]

  --only SCENARIO  installs the chart and runs this scenario; may be repeated. From "upgrade" on, each
                   builds on the ones before
  --sessions N     keeps so many sessions open (20), besides two new ones per second
  --keep           leaves everything in the cluster
  --write          writes the table into deploy/README.md
  --list           names the scenarios

  KUBECONFIG       the cluster; a kind, k3d, minikube or k3s cluster gets the images by itself
  NAMESPACE        two fresh namespaces are created: this one (parley-try), where restricted pod
                   security is enforced, and NAMESPACE-stage for Redis, PostgreSQL and a pod that
                   sends signals to processes of the node
  LOAD_IMAGES      the command that loads a Docker archive into the nodes, which is its last
                   argument, such as: ctr --namespace k8s.io images import
  IMAGES, TAG      images that the nodes can pull, such as registry.example.com/parley and 0.2.0:
                   nothing is built then
  BUILD_ARGS       more arguments for buildah or docker build, such as --build-arg BUILD_IMAGE=…
  REDIS_IMAGE      (docker.io/library/redis:8)
  POSTGRES_IMAGE   (docker.io/library/postgres:17)

PostgreSQL and Redis keep their data in volumes of the default StorageClass. In a cluster of one node
without one, they are folders of its /tmp.
TEXT
}

fail() {
  echo "try: $*" >&2
  exit 2
}
say() { echo "try: $*"; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
keep=
arguments=()
while (($# > 0)); do
  case $1 in
    --help | -h) help && exit 0 ;;
    --list) exec node "$here/main.mjs" --list ;;
    --keep) keep=yes ;;
    --write) arguments+=("$1") ;;
    --only | --sessions) arguments+=("$1" "${2:?$1 needs a value}") && shift ;;
    *) fail "there is no option $1; --help names them" ;;
  esac
  shift
done

[[ -n ${KUBECONFIG:-} ]] || fail "KUBECONFIG is not set. It names the cluster in which everything is installed and removed again."
for program in kubectl helm node openssl; do
  command -v "$program" >/dev/null || fail "$program is missing."
done
[[ -d $project/node_modules/rolldown ]] || fail "run npm ci first."
node "$here/main.mjs" --check "${arguments[@]}"
kubectl get --raw /readyz >/dev/null || fail "the cluster of $KUBECONFIG does not answer."

namespace=${NAMESPACE:-parley-try}
stage=$namespace-stage
images=${IMAGES:-localhost/parley}
tag=${TAG:-}
scratch=$(mktemp -d)
volumes=()

clean_up() {
  local code=$?
  trap - EXIT
  rm -rf "$scratch"
  if [[ -n ${running:-} ]]; then
    kill "$running" 2>/dev/null || true
    wait "$running" || true
  fi
  if [[ -n $keep ]]; then
    say "everything is still there: kubectl delete namespace/$namespace namespace/$stage ${volumes[*]/#/persistentvolume/}"
  elif [[ -n ${created:-} ]]; then
    say "cleaning up"
    for _ in 1 2 3 4 5; do
      kubectl delete namespace "$namespace" "$stage" --ignore-not-found --wait=false >/dev/null && break
    done
    # Pods that drain, or hang, need not say goodbye.
    kubectl --namespace "$namespace" delete pod --all --grace-period=0 --force >/dev/null 2>&1 || true
    kubectl wait --for=delete "namespace/$namespace" "namespace/$stage" --timeout=180s >/dev/null 2>&1 ||
      say "the namespaces $namespace and $stage are still being deleted"
    if ((${#volumes[@]} > 0)); then kubectl delete persistentvolume "${volumes[@]}" --ignore-not-found >/dev/null || true; fi
  fi
  exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for each in "$namespace" "$stage"; do
  if kubectl get namespace "$each" >/dev/null 2>&1; then
    fail "the namespace $each exists already: kubectl delete namespace $each, or choose another NAMESPACE."
  fi
done

# The command that loads an archive into the nodes.
loader() {
  local context
  context=$(kubectl config current-context)
  if [[ -n ${LOAD_IMAGES:-} ]]; then
    echo "$LOAD_IMAGES"
  elif [[ $context == kind-* ]]; then
    echo "kind load image-archive --name ${context#kind-}"
  elif [[ $context == k3d-* ]]; then
    echo "k3d image import --cluster ${context#k3d-}"
  elif [[ $context == minikube ]]; then
    echo "minikube image load"
  elif command -v k3s >/dev/null; then
    echo "k3s ctr images import"
  else
    fail "how do images get into the nodes of $context? Set LOAD_IMAGES, or IMAGES and TAG; see --help."
  fi
}

build_images() {
  local app image archive load more revision
  read -ra load <<<"$(loader)"
  read -ra more <<<"${BUILD_ARGS:-}"
  command -v "${load[0]}" >/dev/null || fail "${load[0]} is missing, with which images are loaded."
  command -v buildah >/dev/null || command -v docker >/dev/null || fail "buildah or docker is missing, with which images are built."
  revision=$(git -C "$project" rev-parse HEAD)
  tag=try-$(git -C "$project" describe --always --dirty --exclude "*")
  for app in realtime-gateway api worker admin provider-simulator; do
    image=$images/parley-$app:$tag
    archive=$scratch/$app.tar
    say "building $image"
    local args=(--file "$project/deploy/Dockerfile" --build-arg "APP=$app" --build-arg "REVISION=$revision" "${more[@]}" --tag "$image" "$project")
    if command -v buildah >/dev/null; then
      buildah build --layers "${args[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && return 1; }
      buildah push --quiet "$image" "docker-archive:$archive:$image" >/dev/null
    else
      docker build "${args[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && return 1; }
      docker save --output "$archive" "$image"
    fi
    "${load[@]}" "$archive" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && return 1; }
    rm -f "$archive"
  done
}

# Folders of the only node, where nobody else provides volumes.
provide_volumes() {
  local store
  kubectl get storageclass --output jsonpath='{range .items[*]}{.metadata.annotations.storageclass\.kubernetes\.io/is-default-class}{"\n"}{end}' |
    grep -q true && return
  (($(kubectl get nodes --no-headers | wc -l) == 1)) || fail "the cluster has several nodes and no default StorageClass."
  for store in redis postgres; do
    volumes+=("$stage-$store")
    kubectl create --filename - >/dev/null <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: { name: $stage-$store }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  claimRef: { namespace: $stage, name: data-$store-0 }
  hostPath: { path: /tmp/$stage-$store-$RANDOM, type: DirectoryOrCreate }
YAML
  done
}

start_stores() {
  local redis_password postgres_password
  redis_password=$(openssl rand -hex 16)
  postgres_password=$(openssl rand -hex 16)
  kubectl --namespace "$stage" create secret generic stores \
    --from-literal=redis-password="$redis_password" --from-literal=postgres-password="$postgres_password" >/dev/null
  provide_volumes
  kubectl --namespace "$stage" apply --filename "$here/stores.yaml" >/dev/null
  if [[ -n ${REDIS_IMAGE:-} ]]; then kubectl --namespace "$stage" set image statefulset/redis "redis=$REDIS_IMAGE" >/dev/null; fi
  if [[ -n ${POSTGRES_IMAGE:-} ]]; then kubectl --namespace "$stage" set image statefulset/postgres "postgres=$POSTGRES_IMAGE" >/dev/null; fi
  kubectl --namespace "$stage" scale statefulset/redis statefulset/postgres --replicas=1 >/dev/null
  for store in redis postgres; do
    kubectl --namespace "$stage" rollout status "statefulset/$store" --timeout=180s >/dev/null ||
      { kubectl --namespace "$stage" describe pods >&2 && fail "$store does not start."; }
  done
  secrets parley-secrets "$postgres_password"
  secrets wrong-secrets wrong
}

# The secrets of the release, in the Secret $1, with the password $2 of PostgreSQL.
secrets() {
  kubectl --namespace "$namespace" create secret generic "$1" \
    --from-literal=database-url="postgres://parley:$2@postgres.$stage:5432/parley" \
    --from-literal=redis-url="redis://:$redis_password@redis.$stage:6379" \
    --from-literal=secrets-key="$(openssl rand -base64 32)" \
    --from-literal=bootstrap-api-key="$(openssl rand -hex 24)" >/dev/null
}

if [[ -n ${IMAGES:-} ]]; then
  [[ -n $tag ]] || fail "IMAGES needs TAG."
else
  build_images
fi

say "creating the namespaces $namespace and $stage"
created=yes
kubectl create namespace "$namespace" >/dev/null
kubectl create namespace "$stage" >/dev/null
kubectl label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted >/dev/null
kubectl label namespace "$stage" pod-security.kubernetes.io/enforce=privileged >/dev/null
say "starting Redis and PostgreSQL"
start_stores
# In the background, so that a signal is heeded at once.
node "$here/main.mjs" --namespace "$namespace" --stage "$stage" --images "$images" --tag "$tag" "${arguments[@]}" &
running=$!
wait "$running"

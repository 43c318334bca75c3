"""What developers type all day: one command on each line, more in `ON_SEVERAL_LINES`. None of it may be flagged."""

_LINES = r"""
git status
git status -sb
git diff
git diff --cached
git diff HEAD~1 -- src/app.py
git log --oneline -20
git log --graph --all --decorate
git log -p src/app.py
git log --since='2 weeks ago' --author=me
git show HEAD
git show abc123:path/file.py
git add .
git add -A
git add -p src/
git commit -m 'fix: handle empty input'
git commit -m "Add tests for $FEATURE"
git commit --amend --no-edit
git commit -am 'wip'
git push
git push origin main
git push -u origin feature/x
git push --force-with-lease
git push --tags
git pull
git pull --rebase origin main
git fetch --all --prune
git fetch origin pull/12/head:pr-12
git checkout main
git checkout -b feature/x
git checkout -- src/app.py
git switch -c fix
git switch main
git restore src/app.py
git restore --staged .
git branch
git branch -a
git branch -d merged
git branch -m old new
git merge feature
git merge --no-ff feature
git rebase main
git rebase -i HEAD~3
git rebase --continue
git rebase --abort
git cherry-pick abc123
git stash
git stash pop
git stash list
git stash push -m 'wip' src/
git tag v1.0.0
git tag -a v1.0.0 -m 'release'
git remote -v
git remote add upstream https://github.com/a/b.git
git clone https://github.com/a/b.git
git clone --depth 1 git@github.com:a/b.git dir
git blame -L 10,20 src/app.py
git bisect start
git bisect run pytest tests/test_x.py
git reset HEAD~1
git reset --soft HEAD~1
git reset src/app.py
git revert abc123
git clean -n
git clean -nd
git config user.name 'A B'
git config --global core.editor vim
git config --global alias.co checkout
git config --global alias.lg "log --oneline --graph"
git config --list
git -c core.pager=cat diff
git --no-pager log -3
git ls-files | wc -l
git ls-files '*.py' | xargs wc -l
git grep -n TODO
git rev-parse --short HEAD
git rev-parse --abbrev-ref HEAD
git worktree add ../wt main
git submodule update --init --recursive
git submodule foreach git pull
git submodule foreach 'git checkout main'
git diff --name-only main | grep '\.py$' | xargs ruff check
git branch --merged | grep -v main | xargs git branch -d
git log --format='%h %s' | head -5
git shortlog -sn
git reflog
git apply fix.patch
git format-patch -1 HEAD
git am < fix.patch
git archive --format=tar HEAD | gzip > src.tgz
git rm --cached .env
git rm old.py
git mv a.py b.py
git describe --tags --always
GIT_EDITOR=true git rebase --continue
GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy_key' git fetch
pip install requests
pip install -r requirements.txt
pip install -e '.[dev]'
pip install --upgrade pip setuptools wheel
pip install 'django>=4,<5'
pip freeze > requirements.txt
pip list --outdated
pip show numpy
pip download -d wheels requests
pip cache purge
python -m pip install -U pip
python -m venv .venv
python3 -m venv .venv && source .venv/bin/activate
source .venv/bin/activate
. venv/bin/activate
. .venv/bin/activate && pip install -r requirements.txt
deactivate
uv sync
uv sync --all-extras
uv add httpx
uv add --dev pytest
uv remove httpx
uv run pytest -q
uv run python script.py
uv run --with rich python -c 'import rich'
uv pip install -r requirements.txt
uv pip compile requirements.in -o requirements.txt
uv venv --python 3.12
uv lock --upgrade
uvx ruff check .
uv build
poetry install
poetry add requests
poetry remove requests
poetry run pytest
poetry run python -m app
poetry shell
poetry build
poetry lock
poetry update
poetry version patch
pipenv install
pipenv run python app.py
pipx install black
hatch run test
tox -e py311
nox -s tests
pytest
pytest -q
pytest -x -vv tests/test_app.py::test_one
pytest -k 'not slow' --maxfail=1
pytest --cov=src --cov-report=term-missing
pytest -n auto tests/
python -m pytest tests -q
python -m unittest discover
PYTHONPATH=src pytest -q
python script.py --input data.csv
python -m http.server 8000
python -m json.tool < data.json
python -c 'print(1 + 1)'
python3 -c "import sys; print(sys.version)"
python3 -c 'import json,sys; print(json.load(sys.stdin)["version"])' < package.json
python -c 'import os; print(os.getcwd())'
python3 -c "from pathlib import Path; print(Path('a').read_text())"
python manage.py migrate
python manage.py runserver 0.0.0.0:8000
python manage.py makemigrations
python manage.py test app
python setup.py sdist bdist_wheel
python -m build
python -m cProfile -s time script.py
ipython
jupyter notebook --no-browser
mypy src
mypy --strict src tests
ruff check .
ruff check --fix src
ruff format .
black .
black --check src tests
isort .
flake8 src
pylint src/app.py
bandit -r src
coverage run -m pytest
coverage report -m
coverage html
pre-commit run --all-files
pre-commit install
alembic upgrade head
alembic revision --autogenerate -m 'add users'
alembic downgrade -1
flask run --debug
uvicorn app:app --reload --port 8080
gunicorn -w 4 app:app
celery -A app worker -l info
npm install
npm ci
npm i -D typescript
npm install lodash --save
npm run build
npm run test -- --watch
npm test
npm start
npm run lint && npm run build
npm outdated
npm audit fix
npm ls --depth=0
npm init -y
npm version patch
npm pack
npm cache clean --force
npx create-react-app my-app
npx tsc --noEmit
npx eslint src --ext .ts,.tsx
npx prettier --write .
npx playwright test
npx -y cowsay hi
yarn
yarn install --frozen-lockfile
yarn add react
yarn remove lodash
yarn build
yarn test --coverage
yarn workspace app start
pnpm install
pnpm -r build
pnpm exec tsc
pnpm dlx create-vite
bun install
bun test
node index.js
node --version
node -e 'console.log(process.version)'
node -p 'require("./package.json").version'
NODE_ENV=production node server.js
NODE_OPTIONS=--max-old-space-size=4096 npm run build
nvm use 20
nvm install --lts
deno run --allow-net main.ts
tsc -p .
eslint . --fix
jest --watch
vitest run
vite build
webpack --mode production
next dev
cargo build
cargo build --release
cargo test
cargo test -- --nocapture
cargo run -- --help
cargo clippy --all-targets -- -D warnings
cargo fmt
cargo add serde --features derive
cargo update
cargo doc --open
cargo bench
cargo install ripgrep
cargo clean
RUST_LOG=debug cargo run
rustup update
rustup default stable
go build ./...
go test ./...
go test -race -cover ./pkg/...
go run main.go
go mod tidy
go get github.com/a/b@latest
go vet ./...
go fmt ./...
go install golang.org/x/tools/gopls@latest
go clean -cache
CGO_ENABLED=0 GOOS=linux go build -o bin/app .
golangci-lint run
mvn clean install
mvn test -Dtest=FooTest
mvn -q package -DskipTests
gradle build
./gradlew test
./gradlew clean assemble
java -jar app.jar
javac Main.java
dotnet build
dotnet test
dotnet run
bundle install
bundle exec rspec
bundle exec rails server
rails generate model User
rails db:migrate
rake test
gem install bundler
composer install
php artisan migrate
php -S localhost:8000
php -l index.php
mix deps.get
mix test
swift build
xcodebuild -scheme App build
flutter pub get
make
make test
make -j8
make clean all
make -C src build
make install PREFIX=/usr/local
make lint && make test
cmake -S . -B build
cmake --build build -j
ctest --test-dir build
ninja -C build
./configure --prefix=/usr/local
bazel test //...
gcc -O2 -Wall -o app main.c
g++ -std=c++20 main.cpp -o main
clang-format -i src/*.cpp
gdb ./app
gdb --args ./app arg
valgrind --leak-check=full ./app
strace -f -o trace.txt ./app
ldd ./app
nm -D libx.so
docker ps
docker ps -aq
docker images
docker build -t app:latest .
docker build --no-cache -f Dockerfile.dev -t app .
docker run --rm -it app
docker run --rm -it -v "$PWD":/work -w /work python:3.12 bash
docker run -d -p 8080:80 --name web nginx
docker run --rm -e KEY=value app pytest
docker run --rm -v $(pwd):/src app make test
docker exec -it web bash
docker exec -it web sh
docker exec web ls /app
docker exec -it db psql -U postgres
docker logs -f web
docker stop web
docker rm web
docker rmi app:old
docker image prune -f
docker compose up -d
docker compose up --build
docker compose down
docker compose down -v
docker compose logs -f api
docker compose exec api bash
docker compose exec db psql -U app -c 'select count(*) from users'
docker compose run --rm api pytest
docker-compose up -d
docker tag app:latest registry/app:latest
docker push registry/app:latest
docker pull postgres:16
docker inspect web | jq '.[0].State'
docker cp web:/app/log.txt .
docker network ls
docker volume ls
docker stats --no-stream
docker login ghcr.io
podman ps
kubectl get pods
kubectl get pods -n prod -o wide
kubectl get svc,deploy -A
kubectl describe pod web-0
kubectl logs -f deploy/web
kubectl apply -f app.yaml
kubectl apply -k overlays/dev
kubectl exec -it web-0 -- bash
kubectl exec web-0 -- ls /app
kubectl port-forward svc/web 8080:80
kubectl rollout status deploy/web
kubectl rollout restart deploy/web
kubectl config use-context dev
kubectl config get-contexts
kubectl delete pod web-0
kubectl scale deploy/web --replicas=3
kubectl top pods
kubectl create namespace dev
helm list -A
helm install web ./chart
helm upgrade --install web ./chart -f values.yaml
helm template ./chart
helm repo update
minikube start
kind create cluster
terraform init
terraform plan
terraform plan -out=tf.plan
terraform apply tf.plan
terraform fmt -recursive
terraform validate
terraform output -json
aws s3 ls
aws s3 cp build.zip s3://bucket/releases/
aws s3 sync dist/ s3://bucket/site
aws sts get-caller-identity
aws ec2 describe-instances --query 'Reservations[].Instances[].InstanceId'
aws logs tail /aws/lambda/f --follow
gcloud auth login
gcloud config set project p
gcloud compute instances list
az login
az account show
gh pr create --fill
gh pr list
gh pr checkout 12
gh pr merge 12 --squash
gh issue create -t 'bug' -b 'text'
gh run watch
gh api repos/a/b/pulls
gh release create v1.0 dist/*
ansible-playbook -i hosts site.yml
vagrant up
vagrant ssh
ls
ls -la
ls -lh build/
ls *.py
ls | head
ll
pwd
cd src
cd ..
cd -
cd ~/projects/app && git pull
pushd src && make && popd
tree -L 2
cat README.md
cat a.txt b.txt > c.txt
cat package.json | jq .scripts
cat .gitignore
cat /etc/os-release
cat /proc/cpuinfo | grep 'model name' | head -1
cat .env
head -20 file.txt
tail -f app.log
tail -n 100 /var/log/syslog
less README.md
more file.txt
wc -l src/*.py
sort file.txt | uniq -c | sort -rn | head
cut -d, -f1 data.csv
tr 'a-z' 'A-Z' < in.txt > out.txt
tr -d '\r' < dos.txt > unix.txt
echo hello
echo "$PATH"
echo $?
echo 'export PATH=$HOME/bin:$PATH' >> ~/.bashrc
echo 'eval "$(direnv hook bash)"' >> ~/.bashrc
echo "alias ll='ls -la'" >> ~/.zshrc
echo "DEBUG=1" > .env
echo node_modules >> .gitignore
printf '%s\n' a b c
printf "%-10s %s\n" name value
cp a.txt b.txt
cp -r src backup_src
cp .env.example .env
cp -a config/. /tmp/config/
mv a.txt b.txt
mv build/*.whl dist/
mkdir build
mkdir -p src/app/models
rmdir empty
touch a.py
touch src/__init__.py
rm file.txt
rm -f file.txt
rm -rf build/ dist/ .pytest_cache node_modules
rm -rf build dist *.egg-info
rm -rf node_modules package-lock.json && npm install
rm -rf __pycache__ .mypy_cache .ruff_cache htmlcov .coverage
rm -rf .venv && python -m venv .venv
rm -rf /tmp/build-123
rm -rf ./tmp
rm -rf target/debug
rm -rf old_experiment
rm -rf ~/.cache/pip
rm -rf coverage .next .turbo
rm *.pyc
rm -f *.log
rm -r docs/_build
rm -rf "$PWD/build"
rm -rf /var/lib/apt/lists/*
rm -rf ../app/dist
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cp a "$tmp"
cd build && rm -rf * && cmake ..
find . -name '*.pyc' -delete
find . -name __pycache__ -type d -exec rm -rf {} +
find . -type d -name node_modules -prune -exec rm -rf {} +
find . -name '*.py' | xargs grep -n TODO
find . -name '*.py' -exec grep -l foo {} \;
find src -type f -name '*.ts' -not -path '*/node_modules/*'
find . -name '*.orig' -print0 | xargs -0 rm -f
find . -type f -mtime +30 -name '*.log' -delete
find /tmp -maxdepth 1 -mtime +7 -delete
find . -empty -type d -delete
find . -type f -size +10M
find . -name '*.sh' -exec chmod +x {} \;
find . -name '*.md' | xargs -I{} sh -c 'echo {}'
grep -rn 'def main' src
grep -r --include='*.py' TODO .
grep -v '^#' file | grep -c .
grep -oE '[0-9]+' file.txt
egrep 'a|b' file
rg TODO
rg -l 'import os' --type py
rg -n 'foo' | head -20
ag pattern
fd -e py
fd -e py -x wc -l
sed 's/a/b/' file
sed -i 's/foo/bar/g' src/app.py
sed -i.bak -e 's/a/b/' -e '/^$/d' file
sed -n '10,20p' file
sed -n '/start/,/end/p' file
sed -E 's/([a-z]+) ([a-z]+)/\2 \1/' file
grep -rl foo src | xargs sed -i 's/foo/bar/g'
awk '{print $1}' file
awk -F, '{sum += $3} END {print sum}' data.csv
awk 'NR > 1 && $2 > 10 {print $1, $2}' data.txt
awk -v n=3 'NR % n == 0' file
awk '/error/ {count++} END {print count}' app.log
awk '{print $1 | "sort -u"}' file
ps aux | awk '{print $2}' | head
jq '.name' package.json
jq -r '.[] | .id' data.json
jq -c 'select(.a > 1)' data.json > out.json
yq '.services' docker-compose.yml
curl https://example.com
curl -s https://api.github.com/repos/a/b | jq .stargazers_count
curl -O https://example.com/file.tar.gz
curl -L -o file.zip https://example.com/file.zip
curl -I https://example.com
curl -fsSL https://example.com/data.json -o data.json
curl -X POST -H 'Content-Type: application/json' -d '{"a": 1}' http://localhost:8000/api
curl -X POST -d @payload.json http://localhost:8000/api
curl -X POST -H 'Content-Type: application/json' -d @body.json https://api.example.com/v1/items
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/me
curl -sS -w '%{http_code}' -o /dev/null https://example.com
curl -s localhost:9200/_cat/indices
curl -X DELETE http://localhost:8000/items/1
curl -u user:pass https://example.com
curl -F file=@data.csv http://localhost:5000/upload
curl -L https://example.com/x.tar.gz | tar xz
wget https://example.com/file.tar.gz
wget -q -O out.html https://example.com
wget -r -np https://example.com/docs/
http GET localhost:8000/api
ping -c 3 example.com
dig example.com
nslookup example.com
nc -zv localhost 5432
nc -l 8080
traceroute example.com
tar xzf file.tar.gz
tar -xvf file.tar -C out
tar czf out.tgz src
tar -tf x.tar | head
tar --exclude=node_modules -czf app.tgz .
tar -I zstd -xf x.tar.zst
zip -r out.zip src
unzip file.zip -d out
gzip file
gunzip file.gz
zcat log.gz | grep error
7z x file.7z
base64 image.png > image.b64
echo aGVsbG8= | base64 -d
echo hello | base64
openssl rand -hex 32
openssl x509 -in cert.pem -noout -text
openssl s_client -connect example.com:443 </dev/null
sha256sum file
md5sum *.iso
xxd file | head
ssh user@host
ssh -i ~/.ssh/id_rsa user@host
ssh host 'uptime'
ssh host 'cd /srv/app && git pull && docker compose up -d'
ssh -L 5432:localhost:5432 host
ssh host tail -f /var/log/app.log
ssh-keygen -t ed25519 -C me@example.com
ssh-add ~/.ssh/id_ed25519
ssh-copy-id user@host
eval "$(ssh-agent -s)"
scp file.txt user@host:/tmp/
scp user@host:/var/log/app.log .
scp -r dist/ user@host:/srv/www/
rsync -av src/ dest/
rsync -avz --delete dist/ user@host:/srv/www/
rsync -e 'ssh -p 2222' -a dist/ host:app/
psql -d app -c 'select * from users limit 10'
psql -U postgres -h localhost -f schema.sql
psql postgres://localhost/app < dump.sql
psql -c '\dt'
psql -c "update users set name = 'a' where id = 1"
psql -c 'delete from sessions where expires < now()'
pg_dump app > dump.sql
createdb app_test
mysql -u root -p app < dump.sql
mysql -e 'show databases'
sqlite3 app.db '.tables'
sqlite3 app.db 'select count(*) from t'
redis-cli ping
redis-cli get key
mongosh --eval 'db.users.find().limit(5)'
chmod +x script.sh
chmod 644 file
chmod 755 bin/run
chmod 600 ~/.ssh/config
chmod -R u+rwX,go+rX dist
chown -R me:me ./data
ln -s ../shared shared
ln -sf python3 ~/bin/python
which python
command -v docker
type ls
whoami
id
uname -a
hostname
date
date +%Y-%m-%d
df -h
du -sh *
du -sh node_modules | sort -h
free -m
top -b -n 1
htop
uptime
ps aux | grep python
pgrep -f uvicorn
kill 12345
kill -9 12345
kill %1
kill $(lsof -t -i:8080)
lsof -i :8080
lsof -ti:3000 | xargs kill -9
pkill -f 'python app.py'
killall node
jobs
fg
wait
sleep 5
time make test
timeout 60 pytest -q
nohup python server.py > server.log 2>&1 &
nice -n 10 make -j4
watch -n 2 kubectl get pods
env
env | sort
env | grep PATH
env FOO=bar python app.py
printenv HOME
export FOO=bar
export PATH="$HOME/.local/bin:$PATH"
unset FOO
set -euo pipefail
set -x
source ~/.bashrc
alias gs='git status'
alias ll='ls -la'
history | grep docker
history 20
man ls
tmux new -s dev
tmux attach -t dev
tmux ls
screen -r
exec $SHELL
exec bash -l
bash script.sh
bash -x script.sh arg
sh ./install.sh
./run.sh --verbose
./manage.py shell
bash -c 'echo hello'
bash -c "cd src && ls"
sh -c 'test -f x && echo yes'
zsh -c 'echo $ZSH_VERSION'
vim README.md
vim +10 file.py
nvim .
code .
nano notes.txt
emacs file.el
diff a.txt b.txt
diff -u a b > x.patch
diff <(sort a) <(sort b)
comm -12 <(sort a) <(sort b)
patch -p1 < x.patch
xargs -n1 echo < list.txt
cat list.txt | xargs -P4 -I{} curl -sO {}
seq 1 10 | xargs -I{} echo item {}
tee out.log < in.txt
make test 2>&1 | tee build.log
for f in *.py; do echo "$f"; done
for i in 1 2 3; do echo $i; done
for i in {1..5}; do curl -s localhost:8000/$i; done
for f in *.jpg; do convert "$f" "${f%.jpg}.png"; done
for d in */; do (cd "$d" && git pull); done
while read line; do echo "$line"; done < file.txt
while true; do date; sleep 1; done
until curl -s localhost:8000/health; do sleep 1; done
if [ -f .env ]; then source .env; fi
if [[ -d build ]]; then rm -rf build; fi
[ -d venv ] || python -m venv venv
test -f x || touch x
case "$1" in start) echo a;; stop) echo b;; esac
x=$(git rev-parse HEAD); echo "$x"
VERSION=$(cat VERSION) && echo $VERSION
a=1; b=$((a + 1)); echo $b
echo $((2 ** 10))
arr=(a b c); echo "${arr[@]}"
echo "${x:-default}"
"${PYTHON:-python3}" -m pytest
f() { echo "$1"; }; f hello
mkcd() { mkdir -p "$1" && cd "$1"; }
export $(grep -v '^#' .env | xargs)
set -a; source .env; set +a
true && echo yes || echo no
(cd sub && make)
{ echo a; echo b; } > out
echo a; echo b
ls > /dev/null 2>&1
cmd1 | cmd2 |& tee log
python app.py 2> err.log
brew install jq
brew update && brew upgrade
brew list
brew services start postgresql
apt list --installed
apt-cache search nginx
dpkg -l | grep python
systemctl status nginx
systemctl is-active docker
systemctl list-units --type=service
journalctl -u nginx -f
journalctl -xe --no-pager
crontab -l
dmesg | tail
lsblk
mount | grep ext4
ip addr
ip a
ss -tlnp
netstat -tulpn
ifconfig
nvidia-smi
locale
shellcheck script.sh
shfmt -w script.sh
hadolint Dockerfile
trivy image app
sam build
serverless invoke local -f hello
firebase emulators:start
heroku logs --tail
fly deploy
vercel deploy
netlify dev
wrangler dev
ffmpeg -i in.mp4 -vf scale=640:-1 out.mp4
convert a.png -resize 50% b.png
pandoc README.md -o README.pdf
pdflatex paper.tex
hugo server
mkdocs serve
sphinx-build docs docs/_build
jekyll build
protoc --python_out=. x.proto
openapi-generator generate -i api.yaml -g python
dd if=/dev/zero of=test.img bs=1M count=10
truncate -s 10M test.img
perl -pe 's/a/b/' file
perl -ne 'print if /foo/' file
perl -i -pe 's/\r//' file
ruby -e 'puts 1'
lua -e 'print(1)'
php -r 'echo PHP_VERSION;'
source <(kubectl completion bash)
eval "$(pyenv init -)"
eval "$(starship init bash)"
kubectl get pods -o json | jq -r '.items[].metadata.name'
kubectl get secrets
docker ps --format '{{.Names}}'
git log --pretty=format:'%h %an %s' --date=short
hyperfine 'python a.py' 'python b.py'
parallel -j4 gzip ::: *.log
ls *.csv | parallel 'wc -l {}'
entr -r make test
inotifywait -m src
direnv allow
mise install
asdf install python 3.12.1
conda create -n env python=3.11
conda activate env
conda install numpy
conda env list
R --version
Rscript analysis.R
julia --project -e 'using Pkg; Pkg.test()'
sudo -l
whet scan
whet prove --branch feature
"""
ON_SEVERAL_LINES = [
    "cat > config.yml <<EOF\nname: app\nport: 8080\nEOF",
    "cat <<'EOF' > script.py\nimport os\nprint(os.getcwd())\nEOF",
    "python3 <<EOF\nprint('hello')\nEOF",
    "python - <<'EOF'\nimport json\nprint(json.dumps({}))\nEOF",
    "psql app <<SQL\nselect 1;\ninsert into t values (1);\nSQL",
    "git commit -F - <<EOF\nsubject\n\nbody with `code` and $(date)\nEOF",
    "git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nIt rm -rf / nothing.\nEOF\n)\"",
    "docker build -t app - <<EOF\nFROM alpine\nRUN apk add curl\nEOF",
    "for f in a b\ndo\n  echo $f\ndone",
    "if true\nthen\n  echo yes\nelse\n  echo no\nfi",
    "set -e\ncd app\nnpm ci\nnpm run build",
    "make \\\n  -j4 \\\n  test",
    "curl -X POST \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"a\": 1}' \\\n  https://api.example.com/items",
    "# install\npip install -r requirements.txt  # all of it",
    'while IFS= read -r line; do\n  echo "$line"\ndone < file.txt',
    "bash <<'EOF'\nset -e\necho hi\nEOF",
    "ssh host <<'EOF'\ncd app\ngit pull\nEOF",
    'function greet {\n  echo "hello $1"\n}\ngreet world',
    "cat <<EOF | kubectl apply -f -\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: dev\nEOF",
    "tee .github/workflows/ci.yml <<'EOF' > /dev/null\nname: ci\nEOF",
]
ORDINARY = [line for line in _LINES.strip("\n").split("\n") if line] + ON_SEVERAL_LINES
